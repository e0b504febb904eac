-- Stores the ending of a job that rolls back. A later run goes as far as its record, begins nothing new, undoes, and comes to
-- this ending.
--
-- $1: a row for each job
-- $2, $3: the least and the greatest job of the rows
-- returns: nothing
-- order: 92
update postrider.job j set rolling_back = t.outcome
from json_to_recordset($1::json) as t(i int, job_id bigint, outcome jsonb)
where j.job_id between $2::bigint and $3::bigint and j.job_id = t.job_id and j.state = 'running'
