-- Conversations over the chat API. What is said in one stands in postrider.message, by its lane.
create table postrider.api_conversation (
    lane_id    bigint primary key,
    user_id    bigint not null,
    created_at timestamptz not null default postrider.now(),
    id         uuid not null unique,
    agent      text not null default '' check (length(agent) <= 100)
);
comment on table postrider.api_conversation is 'conversations that were begun over HTTP; each has a lane of its own, chat:ID';
comment on column postrider.api_conversation.user_id is 'whose token began it: nobody else sees it';
comment on column postrider.api_conversation.agent is 'who answers, a flow or an [agents.NAME]; empty = the assistant';

select postrider.grant_reader();
