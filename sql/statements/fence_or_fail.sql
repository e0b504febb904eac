-- Locks the lanes in id order, like fence, where all rows of the commit travel along: nothing may follow where a lane is not
-- leased so, where it was edited (`edits`: what the reply has seen), or where a job ends or begins effects (`ends`) although the
-- lane is asked something, or a job before its `head` was put back. Then it fails, and the batch begins again by its stages.
--
-- $1: a row for each lane
-- returns: i, arrivals, edits, head, asked
-- order: 0
select o.i, case when r.epoch is null or r.edits <> o.edits
                      or r.head < o.head or o.ends and r.asked is not null
                 then postrider.lane_differs() else r.arrivals end, r.edits, r.head, r.asked
from (select * from json_to_recordset($1::json)
          as t(i int, lane_id bigint, epoch bigint, node_id bigint, edits bigint, head bigint, ends boolean)
      order by lane_id) o
left join lateral (select r.epoch, r.arrivals, r.edits, r.head, r.asked from postrider.lane_run r
                   where r.lane_id = o.lane_id and r.node_id = o.node_id and r.epoch = o.epoch for update) r on true
