-- What agents remember for long, and the messages that it comes from.

create table postrider.memory (
    memory_id           bigint generated always as identity primary key,
    user_id             bigint not null,
    chat_id             bigint not null,
    bot_id              bigint not null,
    kind                text not null check (kind in ('note', 'fact', 'summary')),
    content             text not null check (char_length(content) between 1 and 4000),
    language            text not null check (char_length(language) <= 10),
    words               tsvector not null,
    made_by             text not null unique check (char_length(made_by) between 1 and 200),
    created_at          timestamptz not null default postrider.now(),
    expires_at          timestamptz,
    embedding_model     text,
    embedding_dimension int,
    constraint memory_owner check ((user_id = 0) <> (chat_id = 0)),
    constraint memory_embedding check ((embedding_model is null) = (embedding_dimension is null))
);
create unique index memory_once on postrider.memory
    (user_id, chat_id, bot_id, md5(case when kind = 'summary' then made_by else content end));
create index memory_without_vector on postrider.memory (memory_id) where embedding_model is null;
create index memory_expired on postrider.memory (expires_at) where expires_at is not null;
comment on table postrider.memory is 'what agents remember of people and groups';
comment on column postrider.memory.user_id is 'the person whose memory it is, in this bot alone; 0 = a group''s';
comment on column postrider.memory.chat_id is 'the group whose memory it is; 0 = a person''s';
comment on column postrider.memory.bot_id is 'the bot; 0 = the chat API';
comment on column postrider.memory.kind is 'note: someone asked for it; fact, summary: a job found it in older messages';
comment on column postrider.memory.language is 'of the text, as a code of two letters; empty = not known';
comment on column postrider.memory.words is 'for the search: its stems in that language, and its words as they stand';
comment on column postrider.memory.made_by is 'the call or the job that made it, so that it is there once';
comment on column postrider.memory.expires_at is 'from then on nobody recalls it, and the maintenance deletes it; null = it stays';
comment on column postrider.memory.embedding_model is 'the model of its vector; null = it has none';
comment on column postrider.memory.embedding_dimension is 'of its vector: models and dimensions are never mixed';

create table postrider.memory_source (
    memory_id bigint not null references postrider.memory on delete cascade,
    lane_id   bigint not null,
    job_id    bigint not null,
    position  bigint not null,
    user_id   bigint,
    primary key (memory_id, lane_id, job_id, position)
);
create index memory_source_of_message on postrider.memory_source (lane_id, job_id, position);
create index memory_source_of_person on postrider.memory_source (user_id) where user_id is not null;
comment on table postrider.memory_source is 'the messages that a memory comes from: it goes when one of them changes or goes';
comment on column postrider.memory_source.user_id is 'who said it; null = an agent, or not known';
