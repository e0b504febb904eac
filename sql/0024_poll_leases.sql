-- Who polls a bot: one process at a time, by the database's clock.
create table postrider.poll_lease (
    bot_id   bigint primary key,
    holder   bigint not null,
    until_at timestamptz not null
);
comment on table postrider.poll_lease is 'the process that polls a bot; another one takes over when the lease is over or released';
comment on column postrider.poll_lease.holder is 'a number that the process drew when it started';

select postrider.grant_reader();
