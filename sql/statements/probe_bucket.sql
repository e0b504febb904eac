-- Asks whether to try a resource whose breaker is open.
--
-- $1: one row
-- returns: i, false and nothing else while another session has locked the bucket, what bucket_probe() says
-- order: 0
with f as materialized (
    select i, name, job, lasts_ms, postrider.bucket_lock(name) as free
    from json_to_recordset($1::json) as t(i int, name text, job bigint, lasts_ms bigint)
)
select i, free, case when free then postrider.bucket_probe(name, job, lasts_ms) end from f
