-- How long people's transactions may hold or wait for the rows that chats need.

create or replace function postrider.bound_transaction() returns void language plpgsql as $$
declare
    wait constant interval := current_setting('lock_timeout')::interval;
    idle constant interval := current_setting('idle_in_transaction_session_timeout')::interval;
begin
    if wait = '0' or wait > interval '5 s' then
        perform set_config('lock_timeout', '5s', true);
    end if;
    if idle = '0' or idle > interval '10 s' then
        perform set_config('idle_in_transaction_session_timeout', '10s', true);
    end if;
end $$;
comment on function postrider.bound_transaction() is
    'for the functions of this schema: until the transaction ends, a lock is waited for 5 s at most, and a session that idles in it for 10 s is ended: what it has locked stands still';
