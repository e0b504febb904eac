-- Due timers are read page by page, and a million may be due at one time.
create index timer_order on postrider.timer (due_at, job_id);
drop index postrider.timer_due;
