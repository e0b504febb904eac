-- Ends the job of a message that a wait was shown: it answers the wait.
--
-- $1: a row for each message
-- $2, $3: the least and the greatest job of the rows
-- returns: nothing
-- order: 79
update postrider.job j
set state = 'completed', finished_at = postrider.now(), output = jsonb_build_object('routed_to', t.asker)
from json_to_recordset($1::json) as t(i int, job_id bigint, asker bigint)
where j.job_id between $2::bigint and $3::bigint and j.job_id = t.job_id and j.state = 'available'
