-- What a job's model calls cost, and jobs that completed without what was asked of them.

alter table postrider.job add column tokens_cached bigint, add column degraded boolean,
    add constraint job_degraded_says_why
        check (degraded is null or (degraded and state = 'completed' and error_class is not null)) not valid;
alter table postrider.job validate constraint job_degraded_says_why;
-- Of a column that running jobs never change, so that their updates stay HOT.
create index job_degraded on postrider.job (job_id) where degraded;
comment on column postrider.job.tokens_in is 'what its models read, cached tokens included';
comment on column postrider.job.tokens_cached is 'of tokens_in: what the providers had in their prompt caches';
comment on column postrider.job.cost_micro is 'millionths of the currency that the models'' prices are in; null = no price is configured';
comment on column postrider.job.degraded is
    'true or null: completed without what was asked for, of which whoever asked was told; error_class says why';
