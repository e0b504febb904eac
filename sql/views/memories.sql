-- Conversations whose older messages wait for long-term memory, or were left out of it.

create view postrider.memory_failures as
select p.lane_id, l.lane_key, l.bot_id, l.chat_id, p.failures, p.error_class, p.failed_job as job_id, p.retry_at, p.skipped
from postrider.memory_progress p join postrider.lane l using (lane_id)
where p.failures > 0 or p.skipped > 0;
comment on view postrider.memory_failures is 'conversations whose jobs for long-term memories fail, or have skipped messages';
comment on column postrider.memory_failures.failures is 'jobs that failed one after the other';
comment on column postrider.memory_failures.error_class is 'why the last of them failed';
comment on column postrider.memory_failures.job_id is 'the last of them';
comment on column postrider.memory_failures.retry_at is 'when the next job may begin';
comment on column postrider.memory_failures.skipped is 'messages of which no memory was made';
