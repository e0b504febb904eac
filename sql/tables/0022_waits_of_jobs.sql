-- Why jobs waited, also once they do not wait any more.
alter table postrider.job add column waited jsonb;
comment on column postrider.job.waited is
    'waits that are over and that no step tells of, the newest 50, oldest first: [{"cause", "since", "until", "about", "match", "key", "ending"}]; the view job_waits has all waits';
alter table postrider.bucket_place add column reason text;
comment on column postrider.bucket_place.reason is 'why it waits, in words: its breaker is open, or the bucket is empty';
