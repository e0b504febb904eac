-- A trial belongs to the job that tries: it is over with that job's run, also when its process died.
alter table postrider.bucket add column tried_by bigint;
comment on column postrider.bucket.tried_by is 'of half_open: the job whose use is the trial; null = not known';
