-- Tells when the next free lane is ready, from a time on: by the same index ranges as in find_ready, of suspects too.
--
-- $1: one row
-- returns: i, milliseconds; no row when there is none
-- order: 1
select t.i, ceil(extract(epoch from greatest(min(r.ready_at), 'epoch') - postrider.now()) * 1000)::bigint
from json_to_recordset($1::json) as t(i int, since bigint)
cross join (values (0), (1), (2), (3)) p(priority)
cross join lateral (
    select r.ready_at from postrider.lane_run r
    where r.node_id is null and r.priority = p.priority and r.ready_at < 'infinity'
      and r.ready_at >= coalesce('epoch'::timestamptz + t.since * interval '1 us', '-infinity')
    order by r.ready_at limit 1) r
group by t.i
