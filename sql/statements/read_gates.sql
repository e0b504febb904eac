-- Reads the gates of all resources that are limited or have failed.
--
-- $1: one row
-- returns: i, name, rate, burst, breaker, milliseconds until it may open (null = until it works), failures, reason
-- order: 0
select t.i, b.name, b.rate, b.burst, b.breaker,
       case when b.open_until < 'infinity' then ceil(1000 * extract(epoch from b.open_until - postrider.now()))::bigint end,
       b.failures, b.reason
from json_to_recordset($1::json) as t(i int) cross join postrider.bucket b
