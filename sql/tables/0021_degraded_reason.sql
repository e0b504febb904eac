alter table postrider.job add column degraded_reason text;
comment on column postrider.job.degraded is
    'true or null: completed, but somebody did not get what was asked for; degraded_reason says why';
comment on column postrider.job.degraded_reason is
    'a word of docs/reference.md; null = it is not degraded, or ended before reasons were recorded';
