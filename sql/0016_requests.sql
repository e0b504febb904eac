-- Requests from outside: what those with an Idempotency-Key started, so that the same request starts it once, and
-- which job answers a request that waits.
create table postrider.request_key (
    job_id     bigint,
    created_at timestamptz not null default postrider.now(),
    scope      text not null,
    key        text not null,
    digest     text not null,
    primary key (scope, key)
);
create index request_key_age on postrider.request_key (created_at);
comment on table postrider.request_key is 'the job that a request with an Idempotency-Key started; a key is free again after a day';
comment on column postrider.request_key.scope is 'where the key counts: method and path of a webhook';
comment on column postrider.request_key.digest is 'SHA-256 of the request: another one with the same key is a mistake of the client';
comment on column postrider.request_key.job_id is 'null only inside the transaction that makes the job';

create function postrider.prune_request_keys() returns bigint language sql as $$
    with gone as (
        delete from postrider.request_key
        where (scope, key) in (select scope, key from postrider.request_key
                               where created_at < postrider.now() - interval '1 day'
                               limit 5000 for update skip locked)
        returning 1)
    select count(*) from gone
$$;
comment on function postrider.prune_request_keys() is 'forgets keys that are free again, at most 5000 at a time; returns how many';

create function postrider.answering_job(job bigint) returns bigint language sql stable as $$
    with recursive heir as (
        select j.job_id, j.output from postrider.job j where j.job_id = job
        union
        select n.job_id, n.output from heir h
        join postrider.job n on n.job_id = coalesce(h.output ->> 'coalesced_into', h.output ->> 'routed_to')::bigint)
    select max(job_id) from heir where coalesce(output ->> 'coalesced_into', output ->> 'routed_to') is null
$$;
comment on function postrider.answering_job(bigint) is
    'the job itself, or the one that its lane''s mailbox put in its place';

select postrider.grant_reader();
