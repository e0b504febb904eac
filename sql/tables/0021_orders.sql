-- What many wait for is read page by page: a million timers may be due at one time, and 100,000 jobs wait for one breaker.
create index timer_order on postrider.timer (due_at, job_id);
drop index postrider.timer_due;
create index bucket_place_order on postrider.bucket_place (resource, since, job_id);
