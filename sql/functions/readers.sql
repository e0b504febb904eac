-- The role that may read.

create or replace function postrider.grant_reader() returns void language plpgsql as $$
declare
    name text;
    columns text;
begin
    if to_regrole('postrider_reader') is null then return; end if;
    grant usage on schema postrider to postrider_reader;
    for name in select c.relname from pg_class c
                where c.relnamespace = 'postrider'::regnamespace and c.relkind in ('r', 'p', 'v', 'S') loop
        -- Of what holds a secret, the other columns.
        select string_agg(quote_ident(a.attname), ', ' order by a.attnum)
               filter (where a.attname not in ('webhook_secret', 'sha256', 'mac_key'))
        into columns
        from pg_attribute a
        where a.attrelid = format('postrider.%I', name)::regclass and a.attnum > 0 and not a.attisdropped
          and exists (select from pg_attribute s where s.attrelid = a.attrelid and not s.attisdropped
                                                   and s.attname in ('webhook_secret', 'sha256', 'mac_key'));
        if columns is null then
            execute format('grant select on postrider.%I to postrider_reader', name);
        else
            execute format('grant select (%s) on postrider.%I to postrider_reader', columns, name);
        end if;
    end loop;
end $$;
comment on function postrider.grant_reader() is
    'lets postrider_reader read all tables and views of the schema, columns with secrets excepted; for migrations that add some';

create or replace function postrider.admit_reader(login text) returns void language plpgsql as $$
begin
    execute format('create role %I login in role postrider_reader', login);
    execute format('alter role %I set statement_timeout = %L', login, '30s');
    execute format('alter role %I set idle_in_transaction_session_timeout = %L', login, '60s');
    execute format('alter role %I set search_path = postrider', login);
end $$;
comment on function postrider.admit_reader(text) is
    'makes a login that may only read, with limits to how long it may; give it a password with \password';
