-- A worker that gives a lane back while a pause ends: the lane's row was changed twice by one
-- statement, which Postgres refuses (27000). Each of the two changes is a statement of its own now.
create or replace function postrider.apply_pauses(most int default 10000) returns int language plpgsql as $$
declare
    everything constant boolean := exists (select from postrider.pause where bot_id is null);
    bots constant bigint[] := array(select bot_id from postrider.pause where bot_id is not null);
    held int := 0;
    freed bigint[];
    asked int;
begin
    if everything or bots <> '{}' or exists (select from postrider.lane where paused_at is not null) then
        with c as materialized (
            select l.lane_id from postrider.lane l where l.paused_at is not null
            union all select r.lane_id from postrider.lane_run r where everything and (r.node_id is not null or r.ready_at < 'infinity')
            union all select r.lane_id from postrider.lane l join postrider.lane_run r using (lane_id) where l.bot_id = any(bots)
        ), l as materialized (
            select r.lane_id from postrider.lane_run r
            where r.lane_id = any(array(select lane_id from c))
              and (r.node_id is null and r.ready_at < 'infinity' or r.node_id is not null and r.asked is null)
            limit most for update skip locked
        ), h as (
            update postrider.lane_run r
            set ready_at = case when node_id is null then 'infinity' else ready_at end,
                wait_reason = case when node_id is null then 'paused' else wait_reason end,
                asked = case when node_id is null then r.asked else 'hold' end
            where r.lane_id = any(array(select lane_id from l))
            returning r.node_id
        )
        select count(*), count(node_id) into held, asked from h;
        if asked > 0 then perform pg_notify('postrider', 'asked'); end if;
    end if;
    if everything then return held; end if;
    freed := array(
        select r.lane_id from postrider.lane_run r join postrider.lane l using (lane_id)
        where (r.node_id is null and r.priority in (0, 1, 2, 3) and r.ready_at = 'infinity' and r.wait_reason = 'paused'
               or r.node_id is not null and r.asked = 'hold')
          and l.paused_at is null and not coalesce(l.bot_id = any(bots), false)
        limit most for update of r skip locked
    );
    if freed = '{}' then return held; end if;
    update postrider.lane_run r set asked = null where r.lane_id = any(freed) and r.node_id is not null;
    perform postrider.lane_refresh(lane_id) from unnest(freed) lane_id;
    perform pg_notify('postrider', 'wake');
    return held + cardinality(freed);
end $$;
