-- Sets the rate of a resource, or takes it away where there was one.
--
-- $1: a row for each resource
-- returns: i
-- order: 0
select t.i, postrider.bucket_define(name, rate, burst)
from json_to_recordset($1::json) as t(i int, name text, rate float8, burst float8)
where rate is not null or exists (select from postrider.bucket b where b.name = t.name and b.rate is not null)
