-- Rate buckets and circuit breakers, shared by all nodes.

create or replace function postrider.bucket_define(resource text, per_second float8, at_once float8) returns void language sql as $$
    insert into postrider.bucket (name, rate, burst) values (resource, per_second, at_once)
    on conflict (name) do update set rate = excluded.rate, burst = excluded.burst
$$;
comment on function postrider.bucket_define(text, float8, float8) is 'for a node: sets a rate and its burst; null and null = unlimited';

create or replace function postrider.bucket_lock(resource text) returns boolean language plpgsql as $$
begin
    perform from postrider.bucket where name = resource for update skip locked;
    return found or not exists (select from postrider.bucket where name = resource);
end $$;
comment on function postrider.bucket_lock(text) is
    'for a node: locks the bucket, if there is one, and waits for nobody; false while another session has it locked';

-- The generic cell rate algorithm. `n` uses move the time at which all is paid by n / rate; what is not
-- more than a burst ahead of the present passes at once.
create or replace function postrider.bucket_take(resource text, n int default 1, at_most bigint default null)
returns bigint language plpgsql as $$
declare
    b postrider.bucket;
    paid timestamptz;
    wait_ms bigint;
begin
    select * into b from postrider.bucket where name = resource for update;
    if not found or b.rate is null then return 0; end if;
    paid := greatest(b.tat, postrider.now()) + n / b.rate * interval '1 s';
    wait_ms := greatest(0, ceil(1000 * extract(epoch from paid - postrider.now() - b.burst / b.rate * interval '1 s')));
    if wait_ms <= coalesce(at_most, wait_ms) then
        update postrider.bucket set tat = paid where name = resource;
    end if;
    return wait_ms;
end $$;
comment on function postrider.bucket_take(text, int, bigint) is
    'for a node: takes n uses and returns the milliseconds after which the caller may go; that time is its own. A wait beyond at_most is only told';

create or replace function postrider.bucket_lease(resource text, most int) returns int language plpgsql as $$
declare
    b postrider.bucket;
    free int;
begin
    select * into b from postrider.bucket where name = resource for update;
    if not found or b.rate is null then return most; end if;
    -- A microsecond short of a whole use is one.
    free := least(most, floor(b.burst + 1e-6 - b.rate * greatest(0, extract(epoch from b.tat - postrider.now()))));
    if free <= 0 then return 0; end if;
    update postrider.bucket set tat = greatest(b.tat, postrider.now()) + free / b.rate * interval '1 s' where name = resource;
    return free;
end $$;
comment on function postrider.bucket_lease(text, int) is
    'for a node: takes up to `most` uses that are free this moment, and none on account of callers that wait';

-- Jobs parked at a bucket get ready, some after others, so that they do not come all at once; a few lanes in one
-- transaction, and none that another session has locked. Places stay until their jobs pass, so a caller goes on behind those
-- that it has seen, and says how many there were at first and how many it has seen.
create or replace function postrider.bucket_wake(
    resource text, most int default 200, after timestamptz default '-infinity', after_job bigint default 0,
    at_first bigint default null, seen_before int default 0,
    out woken int, out last_since timestamptz, out last_job bigint, out places bigint)
language plpgsql as $$
declare
    jobs bigint[];
    ready bigint[];
    lane bigint;
    gap interval;
begin
    places := coalesce(at_first, (select count(*) from postrider.bucket_place w where w.resource = bucket_wake.resource));
    gap := least(20.0, 10000.0 / greatest(1, places)) * interval '1 ms';
    woken := 0;
    select array_agg(p.job_id order by p.since, p.job_id), max(p.since) into jobs, last_since
    from (select w.job_id, w.since from postrider.bucket_place w
          where w.resource = bucket_wake.resource and (w.since, w.job_id) > (after, after_job)
          order by w.since, w.job_id limit most) p;
    last_job := jobs[most];
    if last_job is null then last_since := null; end if;
    delete from postrider.bucket_place -- cancelled while they waited
    where ctid = any(array(
        select w.ctid from postrider.bucket_place w
        where w.job_id = any(jobs) and w.resource = bucket_wake.resource
          and exists (select from postrider.job j where j.job_id = w.job_id and j.finished_at is not null offset 0)
        for update of w skip locked));
    -- By keys alone, and not by the index of all free lanes, whatever the tables were when this was planned.
    for lane in select r.lane_id from postrider.lane_run r
                where coalesce(r.node_id, 0) = 0 and r.lane_id = any(array(
                    select w.lane_id
                    from unnest(jobs) parked
                    cross join lateral (select * from postrider.bucket_place w
                                        where w.job_id = parked and w.resource = bucket_wake.resource offset 0) w
                    cross join lateral (select * from postrider.job j where j.job_id = w.job_id offset 0) j
                    where (not w.reserved or w.until_at <= postrider.now())
                      and j.state in ('waiting', 'retryable') and j.due_at > postrider.now() and j.wait_reason is not null))
                for update of r skip locked loop
        ready := array(
            select j.job_id from postrider.bucket_place w join postrider.job j using (job_id)
            where w.lane_id = lane and w.resource = bucket_wake.resource
              and (not w.reserved or w.until_at <= postrider.now()) and j.state in ('waiting', 'retryable')
            order by j.job_id for update of j skip locked);
        continue when ready = '{}';
        update postrider.job j set due_at = postrider.now() + (seen_before + coalesce(array_position(jobs, j.job_id), 1) - 1) * gap,
                                    wait_reason = null
        where j.job_id = any(ready);
        perform postrider.lane_refresh(lane);
        woken := woken + 1;
    end loop;
    if woken > 0 then perform pg_notify('postrider', 'wake'); end if;
end $$;
comment on function postrider.bucket_wake(text, int, timestamptz, bigint, bigint, int) is
    'for a node: makes those of so many places of this breaker ready that wait for it, 50 a second and all within ten; those with a time of their own keep it. '
    'Returns how many, and where to go on (null = there are no more)';

create or replace function postrider.bucket_report(resource text, outcome text, n int default 1, ms bigint default null, reason text default null)
returns postrider.bucket language plpgsql as $$
declare
    enough constant int := 5;
    b postrider.bucket;
    was text;
begin
    perform postrider.bound_transaction();
    if outcome = 'ok' then
        select * into b from postrider.bucket where name = resource for update;
    else
        insert into postrider.bucket (name) values (resource) on conflict (name) do nothing;
        select * into b from postrider.bucket where name = resource for update;
    end if;
    if b.name is null then return b; end if;
    was := b.breaker;
    if outcome = 'works' or outcome = 'ok' and b.breaker <> 'open' then
        b.breaker := 'closed'; b.open_until := null; b.failures := 0; b.failed_at := null; b.openings := 0; b.reason := null;
    elsif outcome = 'accepted' and was = 'half_open' then
        b.breaker := 'closed'; b.open_until := null; b.failures := enough - 1; b.failed_at := postrider.now();
    elsif outcome = 'given_up' and was = 'half_open' then
        b.breaker := 'open'; b.open_until := postrider.now();
    elsif outcome = 'stopped' then
        b.breaker := 'open'; b.open_until := 'infinity'; b.reason := reason;
    elsif outcome = 'closed_for' then
        b.breaker := 'open';
        b.reason := case when b.open_until = 'infinity' then b.reason else reason end;
        b.open_until := greatest(case when was = 'open' then b.open_until end, postrider.now() + least(ms, 3600000) * interval '1 ms');
    elsif outcome = 'failure' and was <> 'open' then
        b.failures := case when b.failed_at > postrider.now() - interval '1 min' then b.failures else 0 end + n;
        b.failed_at := postrider.now();
        if was = 'half_open' or b.failures >= enough then
            b.breaker := 'open'; b.reason := reason;
            b.open_until := postrider.now() + least(300, 10 * power(2, least(b.openings, 10))) * interval '1 s';
            b.openings := b.openings + 1;
            b.failures := 0;
        end if;
    elsif outcome not in ('ok', 'failure', 'accepted', 'given_up') then
        raise exception 'bucket_report: % is not ok, failure, closed_for, stopped, works, accepted or given_up', outcome;
    end if;
    update postrider.bucket t
    set breaker = b.breaker, open_until = b.open_until, failures = b.failures, failed_at = b.failed_at,
        openings = b.openings, reason = b.reason, tried_by = case when b.breaker = 'half_open' then b.tried_by end
    where t.name = resource;
    if was <> 'closed' and b.breaker = 'closed' then perform postrider.bucket_wake(resource); end if;
    if outcome = 'given_up' and was = 'half_open' then perform postrider.bucket_wake(resource, 1); end if; -- the next one tries
    -- What a node reports it has met; a person decides.
    if not postrider.by_server() then
        perform postrider.audit_append(0, 'bucket_report', null, 'bucket:' || resource, json_strip_nulls(json_build_object(
            'outcome', outcome, 'ms', ms, 'before', was, 'after', b.breaker)));
    end if;
    return b;
end $$;
comment on function postrider.bucket_report(text, text, int, bigint, text) is
    'what a use came to: ok; failure (the fifth in a row opens the breaker); closed_for ms (a Retry-After); stopped (until works). '
    'accepted: the trial has begun well, and its failure would open the breaker again; given_up: it tells nothing, another may try. '
    'ok does not close an open breaker: only its trial, or works, does';

create or replace function postrider.bucket_probe(resource text, job bigint default null, lasts_ms bigint default 65000)
returns bigint language plpgsql as $$
declare
    b postrider.bucket;
    lost boolean;
begin
    select * into b from postrider.bucket where name = resource for update;
    if not found or b.breaker = 'closed' then return 0; end if;
    if b.open_until = 'infinity' then return null; end if;
    -- Of its trial nothing will be heard where its job runs no longer, or runs anew and asks again.
    lost := b.breaker = 'half_open' and b.tried_by is not null
        and (b.tried_by = job or not exists (select from postrider.job j where j.job_id = b.tried_by and j.state = 'running'));
    if b.open_until > postrider.now() and not lost then
        return ceil(1000 * extract(epoch from b.open_until - postrider.now()));
    end if;
    update postrider.bucket
    set breaker = 'half_open', open_until = postrider.now() + lasts_ms * interval '1 ms', tried_by = job
    where name = resource;
    return 0;
end $$;
comment on function postrider.bucket_probe(text, bigint, bigint) is
    'for a node: 0 = closed, or the caller is the one that tries, for so long at most; else milliseconds to wait; null = until it works again';
