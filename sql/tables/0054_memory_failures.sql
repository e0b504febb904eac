-- What keeps a memory from being made or found: a server that refuses a text, and a model that keeps failing.

alter table postrider.memory add column embedding_refused text;
comment on column postrider.memory.embedding_refused is 'the embedding model whose server refuses this text alone; null = none does';
drop index postrider.memory_without_vector;
create index memory_without_vector on postrider.memory (memory_id) where embedding_model is null and embedding_refused is null;
create index memory_of_owner_without_vector on postrider.memory (user_id, chat_id, bot_id)
    where embedding_model is null and embedding_refused is null;
create index memory_of_model on postrider.memory (embedding_model, embedding_dimension) where embedding_model is not null;

alter table postrider.memory_progress
    add column failures    int not null default 0,
    add column refusals    int not null default 0,
    add column retry_at    timestamptz,
    add column error_class text,
    add column failed_job  bigint,
    add column skipped     bigint not null default 0;
create index memory_progress_failed on postrider.memory_progress (lane_id) where failures > 0 or skipped > 0;
comment on column postrider.memory_progress.failures is 'jobs that failed one after the other at the messages behind that place';
comment on column postrider.memory_progress.refusals is 'of these: the model was reached and gave nothing of use';
comment on column postrider.memory_progress.retry_at is 'no job begins before; null = none has failed';
comment on column postrider.memory_progress.error_class is 'why the last of them failed';
comment on column postrider.memory_progress.failed_job is 'the last of them, so that it counts once';
comment on column postrider.memory_progress.skipped is 'messages of which no memory was made, since jobs kept failing at them';
