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
comment on column postrider.request_key.scope is 'where the key counts: method and path of a webhook, or of a conversation of the chat API';
comment on column postrider.request_key.digest is 'SHA-256 of the request: another one with the same key is a mistake of the client';
comment on column postrider.request_key.job_id is 'null only inside the transaction that makes the job';
