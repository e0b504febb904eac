-- What agents remember of sessions that are not a lane's conversation.
create table postrider.session_message (
    session    text not null,
    job_id     bigint not null,
    created_at timestamptz not null default postrider.now(),
    position   int not null,
    role       text not null check (role in ('system', 'user', 'assistant', 'tool')),
    content    text not null,
    detail     jsonb,
    primary key (session, job_id, position)
);
comment on table postrider.session_message is 'messages of named sessions, in order of (job, position): what a memory node with a session of its own keeps';
comment on column postrider.session_message.session is 'the name that the memory node''s session_id came to';
comment on column postrider.session_message.detail is 'tool calls of an assistant message, and the call that a tool message answers';

select postrider.grant_reader();
