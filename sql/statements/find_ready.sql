-- Locks lanes that are ready for a node, and tells when the next one will be.
--
-- Every priority is an index range of its own, so what waits for its time is never looked at; a step of priority counts
-- like twenty seconds of waiting, so nothing waits for ever. "for update skip locked" is an optimisation on lanes: the
-- epoch is what makes the lease. `margin` makes up for lanes that the last claim has passed over. Of the suspects at most
-- one is taken; one that has died alone before, only by a node that has lived for a while. A lane that this node gave back
-- is left to the others first. The last row has no lane; it tells when the next lane will be ready, and where the next
-- look may begin: a row that becomes ready says when, and is committed within seconds. Jobs are left to the next
-- statement, which knows where they are: a claim that finds nothing opens no partition.
--
-- $1: one row
-- returns: i, milliseconds until the next lane is ready, where the next look may begin, microseconds that it took, lane, epoch, head, place
-- order: 0
with t as materialized (
    select t.*, n.started_at from json_to_recordset($1::json) as t(i int, node_id bigint, slots int, margin int, suspects int,
                                                                  min_node_age_ms bigint, others_ms bigint, since bigint)
    join postrider.node n on n.node_id = t.node_id
), s as materialized (
    select r.lane_id, r.epoch, r.head, 0::bigint as place from postrider.lane_run r
    where r.suspect > 0 and coalesce(r.node_id, 0) = 0 and r.ready_at <= postrider.now()
      and (select started_at from t) + (select min_node_age_ms from t) * interval '1 ms'
          * case postrider.lost_runs(r.lane_id, r.head) when 0 then 0 when 1 then 1 else 6 end <= postrider.now()
    order by r.ready_at limit coalesce((select suspects from t), 0) for update skip locked
), a as materialized (
    select x.* from (values (0), (1), (2), (3)) p(priority)
    cross join lateral (
        select r.lane_id, r.epoch, r.head, r.ready_at, r.ready_at + p.priority * interval '20 s' as rank
        from postrider.lane_run r
        where r.node_id is null and r.priority = p.priority and r.ready_at <= postrider.now() and r.suspect = 0
          and r.ready_at >= (select coalesce('epoch'::timestamptz + since * interval '1 us', '-infinity') from t)
          and (r.left_by is null or r.left_by <> (select node_id from t)
               or r.ready_at <= postrider.now() - (select others_ms from t) * interval '1 ms')
        order by r.ready_at limit coalesce((select slots + margin from t), 0) for update skip locked) x
), c as materialized (
    select a.lane_id, a.epoch, a.head, row_number() over (order by a.rank) as place from a
    order by a.rank limit coalesce((select slots + margin from t), 0)
), soon as (
    select (extract(epoch from min(s.ready_at) - postrider.now()) * 1000)::bigint as ms
    from (values (0), (1), (2), (3)) p(priority)
    cross join lateral (
        select r.ready_at from postrider.lane_run r
        where r.node_id is null and r.priority = p.priority and r.ready_at > postrider.now() and r.ready_at < 'infinity'
        order by r.ready_at limit 1) s
)
select t.i, soon.ms,
       (extract(epoch from least((select min(ready_at) from a), postrider.now() - interval '5 s')) * 1000000)::bigint,
       (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000000)::bigint,
       x.lane_id, x.epoch, x.head, x.place
from t, soon, (select * from s union all select * from c union all select null, null, null, null) x
