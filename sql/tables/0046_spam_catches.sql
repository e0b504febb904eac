-- What was done about spam: a row for each message that the filter, or an administrator, took for it.

create table postrider.spam_catch (
    chat_id          bigint not null,
    message_id       bigint not null,
    user_id          bigint not null,
    bot_id           bigint not null,
    sender_chat_id   bigint,
    name             text not null default '',
    album            text,
    action           text not null check (action in ('dry_run', 'delete', 'restrict', 'ban')),
    strikes          int not null default 0 check (strikes >= 0),
    verdict          jsonb,
    content          text not null,
    caught_by        text not null default 'filter',
    caught_at        timestamptz not null default postrider.now(),
    admin_chat_id    bigint,
    admin_message_id bigint,
    undone_at        timestamptz,
    undone_by        text,
    primary key (chat_id, message_id, user_id),
    constraint spam_catch_undone check ((undone_at is null) = (undone_by is null)),
    constraint spam_catch_told check ((admin_chat_id is null) = (admin_message_id is null))
);
create index spam_catch_album on postrider.spam_catch (chat_id, album) where album is not null;
create index spam_catch_of_person on postrider.spam_catch (user_id);
create index spam_catch_age on postrider.spam_catch (caught_at);
comment on table postrider.spam_catch is 'what was done about spam: a message is caught once, however often its job runs';
comment on column postrider.spam_catch.message_id is '0: what was caught is no message, but a reaction';
comment on column postrider.spam_catch.user_id is 'who wrote it; of a channel its chat''s id';
comment on column postrider.spam_catch.album is 'Telegram''s id of the album that the message is a part of: all its parts are one catch';
comment on column postrider.spam_catch.action is 'what was done, or in a dry run what was said';
comment on column postrider.spam_catch.strikes is 'of the author within the window, this one included; 0 = it counts as none';
comment on column postrider.spam_catch.verdict is 'points, threshold, reason and checks; null: a person took it for spam';
comment on column postrider.spam_catch.caught_by is '"filter", or on whose word: "user:ID"';
comment on column postrider.spam_catch.admin_message_id is 'the message that told the admin chat of it';
create table postrider.spam_report (
    chat_id     bigint not null,
    message_id  bigint not null,
    user_id     bigint not null,
    reported_at timestamptz not null default postrider.now(),
    primary key (chat_id, message_id, user_id)
);
create index spam_report_of_person on postrider.spam_report (user_id);
create index spam_report_age on postrider.spam_report (reported_at);
comment on table postrider.spam_report is 'who reported which message of a group as spam';
comment on column postrider.spam_report.user_id is 'who reported it';
comment on column postrider.spam_catch.undone_by is 'on whose word it was no spam';
