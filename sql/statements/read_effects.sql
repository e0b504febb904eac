-- Reads the effects of a job, without those of a life before it was restarted: a '~' marks them.
--
-- $1: a row for each job
-- $2, $3: the least and the greatest job of the rows
-- returns: i, key, state, class, flagged, kind
-- order: 11
select t.i, e.key, e.state, e.class, e.flagged, e.kind
from json_to_recordset($1::json) as t(i int, job_id bigint)
cross join lateral (select * from postrider.effect e
                    where e.job_id between $2::bigint and $3::bigint and e.job_id = t.job_id and position('~' in e.key) = 0
                    offset 0) e
