-- Lanes, bots and everything paused and resumed; events for lanes.

create or replace function postrider.lane_answer(scope text, state text, code text, detail text default null)
returns postrider.operation_result language sql as $$
    select null::bigint, scope, code in ('done', 'asked', 'unchanged'), state, code, detail
$$;
comment on function postrider.lane_answer(text, text, text, text) is
    'for the functions of this schema: what became of an operation on a lane, a bot or everything';

create or replace function postrider.closed_lane_answer(lane_key text) returns postrider.operation_result language sql as $$
    select postrider.lane_answer(lane_key, null, 'not_found', 'the conversation of lane ' || lane_key || ' was deleted')
$$;
comment on function postrider.closed_lane_answer(text) is 'for the functions of this schema: nothing is to begin or to be held there';

-- Lanes that others have locked are passed over: the next call finds them. Each look ends with the last lane that it may
-- change: a million are held by 2,000 calls, and each of these must not read what the others have done.
create or replace function postrider.apply_pauses(most int default 500) returns int language plpgsql as $$
declare
    everything constant boolean := exists (select from postrider.pause where bot_id is null);
    bots constant bigint[] := array(select bot_id from postrider.pause where bot_id is not null);
    lanes bigint[];
    freed bigint[];
    asked int;
begin
    perform postrider.bound_transaction();
    lanes := array(
        select r.lane_id from postrider.lane_run r
        where r.lane_id = any(array(select l.lane_id from postrider.lane l where l.paused_at is not null))
          and (r.node_id is null and r.ready_at < 'infinity' or r.node_id is not null and r.asked is null)
        limit most for update skip locked);
    if everything or bots <> '{}' then
        lanes := lanes || array(
            select r.lane_id from postrider.lane_run r
            where r.node_id is not null and r.asked is null and r.lane_id <> all(lanes)
              and (everything or r.bot_id = any(bots))
            limit most - cardinality(lanes) for update skip locked);
    end if;
    if everything then
        lanes := lanes || array(
            select r.lane_id from postrider.lane_run r
            where r.node_id is null and r.priority in (0, 1, 2, 3) and r.ready_at < 'infinity' and r.lane_id <> all(lanes)
            limit most - cardinality(lanes) for update skip locked);
    elsif bots <> '{}' then
        lanes := lanes || array(
            select x.lane_id from unnest(bots) b(bot_id)
            cross join lateral (
                select r.lane_id from postrider.lane_run r
                where r.bot_id = b.bot_id and r.node_id is null and r.ready_at < 'infinity' and r.lane_id <> all(lanes)
                order by r.ready_at limit most for update skip locked) x
            limit most - cardinality(lanes));
    end if;
    if lanes <> '{}' then
        with h as (
            update postrider.lane_run r
            set ready_at = case when node_id is null then 'infinity' else ready_at end,
                wait_reason = case when node_id is null then 'paused' else wait_reason end,
                asked = case when node_id is null then r.asked else 'hold' end
            where r.lane_id = any(lanes)
            returning r.node_id
        )
        select count(node_id) into asked from h;
        if asked > 0 then perform pg_notify('postrider', 'asked'); end if;
    end if;
    if everything or cardinality(lanes) >= most then return cardinality(lanes); end if;
    freed := array(
        select r.lane_id from postrider.lane_run r
        where r.node_id is not null and r.asked = 'hold'
          and (r.bot_id is null or r.bot_id <> all(bots))
          and (select l.paused_at is null from postrider.lane l where l.lane_id = r.lane_id)
        limit most - cardinality(lanes) for update of r skip locked);
    freed := freed || array(
        select r.lane_id from postrider.lane_run r
        where r.ready_at = 'infinity' and r.node_id is null and r.wait_reason = 'paused'
          and (r.bot_id is null or r.bot_id <> all(bots))
          and (select l.paused_at is null from postrider.lane l where l.lane_id = r.lane_id)
        limit most - cardinality(lanes) - cardinality(freed) for update of r skip locked);
    if freed = '{}' then return cardinality(lanes); end if;
    -- Also of those whose node is gone: the next node that claims them would be held by it.
    update postrider.lane_run r set asked = null where r.lane_id = any(freed) and r.asked = 'hold';
    perform postrider.lane_refresh(lane_id) from unnest(freed) lane_id;
    perform pg_notify('postrider', 'wake');
    return cardinality(lanes) + cardinality(freed);
end $$;
comment on function postrider.apply_pauses(int) is
    'holds lanes that are paused and frees those that no longer are, at most so many; returns how many it changed';

create or replace function postrider.sweep_pauses(most int, known text, out changed int, out pauses text) language plpgsql as $$
begin
    pauses := md5(concat_ws('/',
        (select string_agg(p.scope || p.paused_at, ',' order by p.scope) from postrider.pause p),
        (select concat_ws(',', count(*), max(l.paused_at), sum(l.lane_id)) from postrider.lane l where l.paused_at is not null)));
    changed := case when pauses = known then 0 else postrider.apply_pauses(most) end;
end $$;
comment on function postrider.sweep_pauses(int, text) is
    'for a node: apply_pauses, unless what is paused is what the caller knows; returns how many lanes it changed, and a digest of what is paused';

create or replace function postrider.lane_pause(lane_key text) returns postrider.operation_result language plpgsql as $$
declare
    l postrider.lane;
    run postrider.lane_run;
begin
    perform postrider.bound_transaction();
    select * into l from postrider.lane x where x.lane_key = lane_pause.lane_key for no key update;
    if l.lane_id is null then return postrider.lane_answer(lane_key, null, 'not_found', 'there is no lane ' || lane_key); end if;
    if postrider.lane_closed(l.lane_id) then return postrider.closed_lane_answer(lane_key); end if;
    update postrider.lane set paused_at = coalesce(paused_at, postrider.now()) where lane_id = l.lane_id;
    select * into run from postrider.lane_run r where r.lane_id = l.lane_id for update;
    if l.paused_at is null then
        perform postrider.audit_append(l.lane_id, 'lane_pause', null, 'lane:' || lane_key, '{"before": {"paused": false}, "after": {"paused": true}}');
    end if;
    if run.node_id is not null then
        update postrider.lane_run set asked = coalesce(asked, 'hold') where lane_id = l.lane_id;
        perform pg_notify('postrider', 'asked');
        return postrider.lane_answer(lane_key, 'paused', 'asked', 'a job of it runs: it is held at its next step boundary');
    end if;
    perform postrider.lane_refresh(l.lane_id);
    return postrider.lane_answer(lane_key, 'paused', case when l.paused_at is null then 'done' else 'unchanged' end,
                                 case when l.paused_at is not null then 'it was paused before' end);
end $$;
comment on function postrider.lane_pause(text) is 'nothing of the lane runs until lane_resume; what arrives waits in order';

create or replace function postrider.lane_resume(lane_key text) returns postrider.operation_result language plpgsql as $$
declare
    l postrider.lane;
    above boolean;
begin
    perform postrider.bound_transaction();
    select * into l from postrider.lane x where x.lane_key = lane_resume.lane_key for no key update;
    if l.lane_id is null then return postrider.lane_answer(lane_key, null, 'not_found', 'there is no lane ' || lane_key); end if;
    update postrider.lane set paused_at = null where lane_id = l.lane_id;
    above := postrider.lane_held(l.lane_id);
    perform from postrider.lane_run r where r.lane_id = l.lane_id for update;
    if l.paused_at is not null then
        perform postrider.audit_append(l.lane_id, 'lane_resume', null, 'lane:' || lane_key, '{"before": {"paused": true}, "after": {"paused": false}}');
    end if;
    if not above then
        update postrider.lane_run set asked = null where lane_id = l.lane_id and asked = 'hold';
        perform postrider.lane_refresh(l.lane_id);
        perform pg_notify('postrider', 'wake');
    end if;
    return postrider.lane_answer(lane_key, case when above then 'paused' else 'active' end,
        case when l.paused_at is null then 'unchanged' else 'done' end,
        case when above then 'its bot, or everything, is paused still' when l.paused_at is null then 'it was not paused' end);
end $$;
comment on function postrider.lane_resume(text) is 'lets a paused lane go on';

-- What live turns have said and heard stays: they read it again. A bounded number at a time, the oldest first: meanwhile
-- the lane's turns wait.
create or replace function postrider.lane_forget(lane_key text, most int default 5000) returns postrider.operation_result language plpgsql as $$
declare
    l postrider.lane;
    gone bigint;
    rest boolean;
begin
    perform postrider.bound_transaction();
    select * into l from postrider.lane x where x.lane_key = lane_forget.lane_key for no key update;
    if l.lane_id is null then return postrider.lane_answer(lane_key, null, 'not_found', 'there is no lane ' || lane_key); end if;
    perform from postrider.lane_run r where r.lane_id = l.lane_id for update;
    with o as materialized (
        select x.job_id, x.position from postrider.message x
        where x.lane_id = l.lane_id
          and not exists (select from postrider.job j where j.job_id = x.job_id and j.finished_at is null offset 0)
        order by x.job_id, x.position limit most for update)
    delete from postrider.message m using o
    where m.lane_id = l.lane_id and m.job_id = o.job_id and m.position = o.position;
    get diagnostics gone = row_count;
    rest := gone = most;
    if gone > 0 then
        perform postrider.audit_append(l.lane_id, 'lane_forget', null, 'lane:' || lane_key, json_build_object('messages', gone));
    end if;
    return postrider.lane_answer(lane_key, case when rest then 'forgetting' else 'forgotten' end, case when rest then 'asked' when gone > 0 then 'done' else 'unchanged' end,
        case when gone > 0 then gone || case when gone = 1 then ' message' else ' messages' end || ' deleted' else 'it had no messages' end
            || case when rest then '; there may be more' else '' end);
end $$;
comment on function postrider.lane_forget(text, int) is
    'deletes the messages of a lane''s conversations for good, a bounded number at a time, except those of turns that are not over; jobs and their records stay. Its state is forgetting where there may be more';

create or replace function postrider.lane_send_event(lane_key text, type text, payload jsonb default null, match text default null)
returns postrider.operation_result language plpgsql as $$
declare
    lane bigint;
begin
    perform postrider.bound_transaction();
    select l.lane_id into lane from postrider.lane l where l.lane_key = lane_send_event.lane_key for no key update;
    if lane is null then return postrider.lane_answer(lane_key, null, 'not_found', 'there is no lane ' || lane_key); end if;
    if postrider.lane_closed(lane) then return postrider.closed_lane_answer(lane_key); end if;
    if coalesce(type, '') = '' then return postrider.lane_answer(lane_key, null, 'invalid', 'an event has a type'); end if;
    perform postrider.deliver_event(lane, null, type, payload, match);
    perform postrider.audit_append(lane, 'lane_send_event', null, 'event:' || left(type, 100), '{}');
    return postrider.lane_answer(lane_key, null, 'done', 'it is for whichever job of the lane waits for it first');
end $$;
comment on function postrider.lane_send_event(text, text, jsonb, text) is 'an event for whichever job of the lane waits for it first';

-- A pause of a bot or of everything holds the first lanes in its own transaction; the nodes hold the others,
-- some at a time.
create or replace function postrider.pause_scope(name text, bot bigint) returns postrider.operation_result language plpgsql as $$
declare
    fresh boolean;
    running bigint;
begin
    perform postrider.bound_transaction();
    insert into postrider.pause (scope, bot_id) values (name, bot) on conflict do nothing;
    fresh := found;
    perform postrider.apply_pauses();
    perform pg_notify('postrider', 'asked');
    select count(*) into running from postrider.lane_run r
    where r.node_id is not null and (bot is null or r.bot_id = bot);
    if running > 0 then
        return postrider.lane_answer(name, 'paused', 'asked', format('jobs of %s lanes run: they are held at their next step boundary', running));
    end if;
    return postrider.lane_answer(name, 'paused', case when fresh then 'done' else 'unchanged' end,
                                 case when not fresh then 'it was paused before' end);
end $$;
comment on function postrider.pause_scope(text, bigint) is 'for the functions of this schema: pauses a bot, or everything';

create or replace function postrider.resume_scope(name text) returns postrider.operation_result language plpgsql as $$
declare
    was boolean;
    above boolean;
begin
    perform postrider.bound_transaction();
    delete from postrider.pause where scope = name;
    was := found;
    perform postrider.apply_pauses();
    above := exists (select from postrider.pause where bot_id is null);
    return postrider.lane_answer(name, case when above then 'paused' else 'active' end,
        case when was then 'done' else 'unchanged' end,
        case when above then 'everything is paused still' when not was then 'it was not paused' end);
end $$;
comment on function postrider.resume_scope(text) is 'for the functions of this schema: ends the pause of a bot, or of everything';

create or replace function postrider.no_bot(name text) returns postrider.operation_result language sql as $$
    select postrider.lane_answer('bot:' || name, null, 'not_found',
        'there is no bot ' || name || '; known: ' || coalesce((select string_agg(b.name, ', ' order by b.name) from postrider.bot b), 'none'))
$$;
comment on function postrider.no_bot(text) is 'for the functions of this schema: refuses a bot that is not known';

create or replace function postrider.bot_pause(name text) returns postrider.operation_result language plpgsql as $$
declare
    bot constant bigint := (select b.bot_id from postrider.bot b where b.name = bot_pause.name);
begin
    if bot is null then return postrider.no_bot(name); end if;
    return postrider.pause_scope('bot:' || name, bot);
end $$;
comment on function postrider.bot_pause(text) is 'nothing of the bot''s lanes runs until bot_resume; updates are taken and wait';

create or replace function postrider.bot_resume(name text) returns postrider.operation_result language plpgsql as $$
begin
    if not exists (select from postrider.bot b where b.name = bot_resume.name) then return postrider.no_bot(name); end if;
    return postrider.resume_scope('bot:' || name);
end $$;
comment on function postrider.bot_resume(text) is 'lets the lanes of a paused bot go on';

create or replace function postrider.pause_all() returns postrider.operation_result language sql as $$
    select postrider.pause_scope('all', null)
$$;
comment on function postrider.pause_all() is 'nothing runs until resume_all; updates are taken and wait';

create or replace function postrider.resume_all() returns postrider.operation_result language sql as $$
    select postrider.resume_scope('all')
$$;
comment on function postrider.resume_all() is 'ends pause_all; bots and lanes that were paused by themselves stay so';
