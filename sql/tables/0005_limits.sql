-- Rate buckets and circuit breakers, shared by all nodes.
-- A row exists for what has a limit, and for what has failed: a bot, a model provider, a model. Few rows, updated in
-- place at every use.

create table postrider.bucket (
    name       text primary key,
    rate       float8 check (rate > 0),
    burst      float8 check (burst >= 1),
    tat        timestamptz,
    breaker    text not null default 'closed' check (breaker in ('closed', 'open', 'half_open')),
    open_until timestamptz,
    failures   int not null default 0 check (failures >= 0),
    failed_at  timestamptz,
    openings   int not null default 0 check (openings >= 0),
    reason     text,
    constraint bucket_rate_has_a_burst check ((rate is null) = (burst is null)),
    constraint bucket_open_has_an_end check ((breaker = 'closed') = (open_until is null))
) with (fillfactor = 50, vacuum_truncate = off, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
comment on table postrider.bucket is 'what may be used how fast, and what is left alone for a while because it fails';
comment on column postrider.bucket.name is 'bot:NAME, provider:NAME or model:NAME';
comment on column postrider.bucket.rate is 'uses per second, by all nodes together; null = unlimited';
comment on column postrider.bucket.burst is 'uses that may come at once after a quiet time';
comment on column postrider.bucket.tat is 'the time at which everything taken so far is paid for by the rate (GCRA''s theoretical arrival time)';
comment on column postrider.bucket.breaker is 'closed = work passes; open = it waits until open_until; half_open = one use is tried, the others wait';
comment on column postrider.bucket.open_until is 'infinity = until its owner finds that it works again; of half_open: the trial counts as lost then';
comment on column postrider.bucket.failures is 'failures in a row while closed; one that is a minute old is forgotten with those before it';
comment on column postrider.bucket.openings is 'how often it opened since it last worked: each time is twice as long, up to five minutes';
comment on column postrider.bucket.reason is 'why the breaker is open';

create table postrider.bucket_place (
    job_id   bigint not null,
    lane_id  bigint not null,
    since    timestamptz not null default postrider.now(),
    until_at timestamptz not null,
    reserved boolean not null,
    resource text not null,
    primary key (job_id, resource)
);
create index bucket_place_resource on postrider.bucket_place (resource, lane_id);
-- 100,000 jobs may wait for one breaker, and they are read page by page.
create index bucket_place_order on postrider.bucket_place (resource, since, job_id);
-- Those of jobs that are over are found by their age.
create index bucket_place_age on postrider.bucket_place (since);
comment on table postrider.bucket_place is 'the jobs that are parked at a bucket; a row goes when its job passes';
comment on column postrider.bucket_place.since is 'of the first wait, when there were several';
comment on column postrider.bucket_place.reserved is 'until_at is a time of the job''s own at which it passes; else it waits for the breaker';
