-- Reads the record of a job: its attempts, without those of a life before it was restarted: a '~' marks them.
--
-- $1: a row for each job
-- $2, $3: the least and the greatest job of the rows
-- returns: i, key, attempt, seq, outcome, result, class, words and data of the error, policy, milliseconds since its start and until the
-- next try; in the order of the record
-- order: 10
select t.i, s.key, s.attempt, s.seq, s.outcome, s.result, s.error_class, s.error, s.error_data, s.policy,
       greatest(0, extract(epoch from postrider.now() - s.started_at) * 1000)::bigint,
       case when s.outcome in ('done', 'retry') then ceil(extract(epoch from s.next_at - postrider.now()) * 1000)::bigint end
from json_to_recordset($1::json) as t(i int, job_id bigint)
cross join lateral (select * from postrider.step s
                    where s.job_id between $2::bigint and $3::bigint and s.job_id = t.job_id and position('~' in s.key) = 0
                    offset 0) s
order by s.seq, s.key, s.attempt
