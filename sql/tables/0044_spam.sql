-- The spam filter of groups: what it has learned, whom it knows, and its decisions.

create table postrider.spam_sample (
    sample_id    bigint generated always as identity primary key,
    chat_id      bigint not null default 0,
    kind         text not null check (kind in ('spam', 'ham', 'stop_word')),
    content      text check (char_length(content) between 1 and 16384),
    features     bigint[] not null default '{}',
    origin       text not null check (origin in ('command', 'import', 'admin', 'unban', 'report')),
    trained_by   text not null check (char_length(trained_by) between 1 and 200),
    user_id      bigint,
    created_at   timestamptz not null default postrider.now(),
    withdrawn_at timestamptz,
    withdrawn_by text,
    constraint spam_sample_withdrawn check ((withdrawn_at is null) = (withdrawn_by is null)),
    constraint spam_sample_erased check (content is not null or withdrawn_at is not null)
);
create unique index spam_sample_once on postrider.spam_sample (chat_id, kind, md5(content)) where withdrawn_at is null;
create index spam_sample_of_person on postrider.spam_sample (user_id) where user_id is not null;
comment on table postrider.spam_sample is 'what the spam filter was trained with; written by spam_train and spam_withdraw alone, so that spam_count stays right';
comment on column postrider.spam_sample.chat_id is 'the group that it was learned for; 0 = all groups share it';
comment on column postrider.spam_sample.content is 'the text, or the stop word; null = erased';
comment on column postrider.spam_sample.features is 'what it adds to spam_count; a withdrawal takes exactly these back';
comment on column postrider.spam_sample.trained_by is 'on whose word: "user:ID" or "cli:NAME"';
comment on column postrider.spam_sample.user_id is 'whose words these are: postrider erase withdraws and clears them; null = not known';

create table postrider.spam_count (
    chat_id bigint not null,
    feature bigint not null,
    spam    int not null check (spam >= 0),
    ham     int not null check (ham >= 0),
    primary key (chat_id, feature)
);
comment on table postrider.spam_count is 'the state of the spam filter''s classifier: in how many samples of a group each feature stands';
comment on column postrider.spam_count.feature is 'the hash of a word or of a message''s shape; agent/spam/features.hpp';

create table postrider.spam_training (
    chat_id bigint primary key,
    spam    int not null default 0 check (spam >= 0),
    ham     int not null default 0 check (ham >= 0)
);
comment on table postrider.spam_training is 'how many samples spam_count counts for a group; a training locks its row, so trainings of one group go one after the other';

create table postrider.spam_member (
    chat_id     bigint not null,
    user_id     bigint not null,
    messages    int not null default 0 check (messages >= 0),
    approved_at timestamptz,
    approved_by text,
    strikes     timestamptz[] not null default '{}',
    banned_at   timestamptz,
    banned_by   text,
    primary key (chat_id, user_id),
    constraint spam_member_approved check ((approved_at is null) = (approved_by is null)),
    constraint spam_member_banned check ((banned_at is null) = (banned_by is null))
);
create index spam_member_of_person on postrider.spam_member (user_id);
comment on table postrider.spam_member is 'what the spam filter knows of a group''s members';
comment on column postrider.spam_member.messages is 'that passed and count towards approval';
comment on column postrider.spam_member.approved_by is '"messages": enough of them passed; else on whose word';
comment on column postrider.spam_member.strikes is 'when spam of theirs was found, the newest 20';

create table postrider.spam_verdict (
    chat_id    bigint not null,
    message_id bigint not null,
    wording    bigint not null,
    user_id    bigint not null,
    is_spam    boolean not null,
    points     double precision not null,
    threshold  int not null,
    checks     jsonb not null,
    content    text not null,
    judged_at  timestamptz not null default postrider.now(),
    primary key (chat_id, message_id, wording)
);
create index spam_verdict_newest on postrider.spam_verdict (chat_id, judged_at);
create index spam_verdict_of_person on postrider.spam_verdict (user_id);
create index spam_verdict_age on postrider.spam_verdict (judged_at);
comment on table postrider.spam_verdict is 'what the spam filter decided on each wording of a message; an edit has a verdict of its own';
comment on column postrider.spam_verdict.wording is 'the hash of the folded text that was judged; agent/spam/recent_messages.hpp';
comment on column postrider.spam_verdict.checks is 'each check with its score, weight, points and reason';

create table postrider.spam_recent (
    recent_id  bigint generated always as identity primary key,
    chat_id    bigint not null,
    user_id    bigint not null,
    wording    bigint not null,
    characters int not null,
    sent_at    timestamptz not null
);
create index spam_recent_newest on postrider.spam_recent (chat_id, recent_id);
create index spam_recent_age on postrider.spam_recent (sent_at);
create index spam_recent_of_person on postrider.spam_recent (user_id);
comment on table postrider.spam_recent is 'the last messages of groups as hashes, for the checks of duplicates and floods; kept for a day';
