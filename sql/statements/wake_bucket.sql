-- Wakes a page of the jobs that wait for a resource.
--
-- $1: one row
-- returns: i, where the next page begins (since, job), how many places there were at first
-- order: 0
select t.i, w.last_since, w.last_job, w.places
from json_to_recordset($1::json) as t(i int, name text, most int, after timestamptz, after_job bigint, at_first bigint, seen int)
cross join lateral postrider.bucket_wake(t.name, t.most, coalesce(t.after, '-infinity'), coalesce(t.after_job, 0),
                                         t.at_first, coalesce(t.seen, 0)) w
