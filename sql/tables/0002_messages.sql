-- What comes from Telegram and what is said: bots, chats, updates, messages, conversations.

create table postrider.bot (
    bot_id         bigint generated always as identity primary key,
    telegram_id    bigint,
    name           text not null unique,
    username       text,
    webhook_secret text,
    stopped_at     timestamptz,
    stopped_reason text
);
comment on table postrider.bot is 'the configured bots; main is the one configured by environment alone';
comment on column postrider.bot.webhook_secret is 'made at the first start when none is configured';
comment on column postrider.bot.stopped_at is 'set when Telegram answers 401: no call is made for the bot until its token works again';

create table postrider.chat (
    bot_id      bigint not null,
    chat_id     bigint not null,
    blocked_at  timestamptz,
    send_after  timestamptz,
    migrated_to bigint,
    primary key (bot_id, chat_id)
);
create index chat_migrated on postrider.chat (bot_id, chat_id) where migrated_to is not null;
create index chat_delayed on postrider.chat (send_after) where send_after is not null;
comment on table postrider.chat is 'what Telegram told of a chat; chats without news have no row';
comment on column postrider.chat.blocked_at is 'Telegram answered 403: blocked, kicked or deactivated; cleared by the chat''s next message';
comment on column postrider.chat.send_after is 'Telegram answered 429: no send before';

create function postrider.inbox_fits(disposition text, reason text, raw bytea) returns boolean language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when disposition not in ('job', 'event', 'ignored', 'rejected') then 'inbox_disposition_check'
        when (disposition in ('ignored', 'rejected')) <> (reason is not null) then 'inbox_reason'
        when raw is not null and disposition <> 'rejected' then 'inbox_raw_only_where_rejected'
    end;
begin
    return rule is null or postrider.row_refused('inbox', rule);
end $$;
comment on function postrider.inbox_fits(text, text, bytea) is 'the CHECK of inbox';

-- Rows go by the hour.
create table postrider.inbox (
    bot_id      bigint not null,
    update_id   bigint not null,
    received_at timestamptz not null default postrider.now(),
    disposition text not null,
    reason      text,
    raw         bytea,
    primary key (bot_id, update_id),
    constraint inbox_fits check (postrider.inbox_fits(disposition, reason, raw))
) with (autovacuum_vacuum_scale_factor = 0.05);
create index inbox_age on postrider.inbox (received_at) where disposition <> 'rejected';
create index inbox_rejected on postrider.inbox (received_at) where disposition = 'rejected';
comment on table postrider.inbox is 'every update that was answered 200, with what became of it; kept 48 h against redelivery';
comment on column postrider.inbox.reason is 'the rule that ignored it, or the error code that rejected it';

create table postrider.stranger (
    bot_id        bigint not null,
    user_id       bigint not null,
    chat_id       bigint not null,
    refused       bigint not null default 1,
    first_seen_at timestamptz not null default postrider.now(),
    last_seen_at  timestamptz not null default postrider.now(),
    name          text,
    primary key (bot_id, user_id, chat_id)
);
comment on table postrider.stranger is 'who was refused by the allowlist, counted; what they wrote is not stored';

create function postrider.message_fits(role text, delivery text) returns boolean language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when role not in ('system', 'user', 'assistant', 'tool') then 'message_role_check'
        when delivery not in ('pending', 'sent', 'failed', 'unknown') then 'message_delivery_check'
    end;
begin
    return rule is null or postrider.row_refused('message', rule);
end $$;
comment on function postrider.message_fits(text, text) is 'the CHECK of message';

create table postrider.message (
    lane_id             bigint not null,
    job_id              bigint not null,
    conversation_id     bigint not null,
    created_at          timestamptz not null default postrider.now(),
    telegram_message_id bigint,
    position            bigint not null,
    chat_id             bigint,
    thread_id           bigint,
    sender_id           bigint,
    reply_to            bigint,
    sent_at             timestamptz,
    role                text not null,
    delivery            text,
    id                  text not null,
    sender_name         text,
    content             text not null,
    detail              jsonb,
    shown               jsonb,
    primary key (lane_id, job_id, position),
    constraint message_fits check (postrider.message_fits(role, delivery))
) with (fillfactor = 80);
create index message_age on postrider.message using brin (created_at) with (pages_per_range = 32);
comment on table postrider.message is 'the history: one row per message, in order of (turn, position); the turn is the job. A message that started no job has a number of its own in its place';
comment on column postrider.message.chat_id is 'the Telegram chat in which it was said, also where the lane is a flow''s own; null = over the chat API';
comment on column postrider.message.thread_id is 'the forum topic; null = none';
comment on column postrider.message.sender_id is 'of a user''s message: whose, as Telegram tells it';
comment on column postrider.message.sender_name is 'first and last name, as they were when it was said';
comment on column postrider.message.reply_to is 'the Telegram message, of the same chat, that it replies to';
comment on column postrider.message.sent_at is 'of a user''s message: Telegram''s time; created_at is when we stored it';
comment on column postrider.message.id is 'nanoid, the message''s public name; drawn at random, and nobody looks for it, so no index makes it unique';
comment on column postrider.message.position is 'within the turn: 0 is the user''s message; then by node of the flow, and by what it said';
comment on column postrider.message.detail is 'tool calls of an assistant message, the call that a tool message answers, and a provider''s own state';
comment on column postrider.message.shown is 'in a conversation of the chat API: what is shown beside the text (markup, media, buttons, reaction, note), edited_at, removed; text: an edit, in place of what the history has; key: which message of its job it is, where it is not part of the history';
comment on column postrider.message.telegram_message_id is 'its number in its chat; in a conversation of the chat API one of our own';
comment on column postrider.message.conversation_id is 'the history that it is part of; 0 = none: a question or a notice in a conversation of the chat API';
comment on column postrider.message.delivery is 'of what we sent: pending until Telegram''s answer is stored';

-- What agents remember of sessions that are not a lane's conversation.
create table postrider.session_message (
    session    text not null,
    job_id     bigint not null,
    created_at timestamptz not null default postrider.now(),
    position   bigint not null,
    role       text not null check (role in ('system', 'user', 'assistant', 'tool')),
    content    text not null,
    detail     jsonb,
    primary key (session, job_id, position)
);
create index session_message_age on postrider.session_message using brin (created_at) with (pages_per_range = 32);
comment on table postrider.session_message is 'messages of named sessions, in order of (job, position): what a memory node with a session of its own keeps';
comment on column postrider.session_message.session is 'the name that the memory node''s session_id came to';
comment on column postrider.session_message.detail is 'tool calls of an assistant message, the call that a tool message answers, and a provider''s own state';

-- Conversations over the chat API. What is said in one stands in postrider.message, by its lane.
create table postrider.api_conversation (
    lane_id    bigint primary key,
    user_id    bigint not null,
    created_at timestamptz not null default postrider.now(),
    id         uuid not null unique,
    agent      text not null default '' check (length(agent) <= 100)
);
-- People list their own conversations, newest first.
create index api_conversation_user on postrider.api_conversation (user_id, lane_id);
comment on table postrider.api_conversation is 'conversations that were begun over HTTP; each has a lane of its own, chat:ID';
comment on column postrider.api_conversation.user_id is 'whose token began it: nobody else sees it';
comment on column postrider.api_conversation.agent is 'who answers, a flow or an [agents.NAME]; empty = the assistant';

create table postrider.poll_lease (
    bot_id  bigint primary key,
    node_id bigint not null
);
comment on table postrider.poll_lease is 'the node that polls a bot, one at a time; its heartbeat renews the lease, and another one takes over when that has been silent for 7 s, or when the lease is given back';

create table postrider.message_count (
    user_id  bigint primary key,
    messages bigint not null,
    since    timestamptz not null
) with (fillfactor = 50, vacuum_truncate = off);
comment on table postrider.message_count is
    'how many messages a person has sent since the beginning of the present minute of that person; written where budgets.messages_per_minute is set';
comment on column postrider.message_count.since is 'the first message after a minute begins the next one';
