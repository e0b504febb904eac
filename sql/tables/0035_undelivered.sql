-- The jobs whose answer did not arrive are counted again and again while somebody looks, and they are few among
-- those that are degraded.
create index job_undelivered on postrider.job (job_id) where degraded and degraded_reason = 'undelivered';
