-- What people are asked: questions with buttons, and, before a tool acts, one row for each of its calls.

create table postrider.question (
    question_id text primary key,
    job_id      bigint not null,
    user_id     bigint,
    asked_at    timestamptz not null default postrider.now(),
    until_at    timestamptz not null,
    place       text not null
) with (autovacuum_vacuum_scale_factor = 0.05);
create index question_until on postrider.question (until_at);
comment on table postrider.question is
    'questions with buttons that are open: a press that answers one takes its row away and becomes an event of its job';
comment on column postrider.question.question_id is 'nanoid: the data of its buttons begins with it, and the event carries it as its match';
comment on column postrider.question.user_id is 'who alone may answer it, owners of the bot beside; null = whoever the bot listens to';
comment on column postrider.question.until_at is 'when the job stops waiting; such rows go when other questions are asked';
comment on column postrider.question.place is 'where it was asked, BOT:CHAT or chat:CONVERSATION: a press from elsewhere does not count';

create table postrider.approval (
    job_id      bigint not null,
    lane_id     bigint not null,
    requester   bigint not null,
    decided_by  bigint,
    created_at  timestamptz not null default postrider.now(),
    expires_at  timestamptz not null,
    decided_at  timestamptz,
    used_at     timestamptz,
    approval_id text primary key check (octet_length(approval_id) between 1 and 64),
    question    text not null,
    call        text not null,
    state       text not null default 'waiting' check (state in ('waiting', 'approved', 'rejected', 'expired', 'withdrawn')),
    decided_via text check (decided_via in ('button', 'text', 'api', 'cli', 'sql')),
    tool        text not null,
    arguments   json not null,
    digest      text not null,
    unique (question, call),
    constraint approval_decided_says_when check ((state = 'waiting') = (decided_at is null)),
    constraint approval_used_was_approved check (used_at is null or state = 'approved')
) with (fillfactor = 80);
create index approval_waiting on postrider.approval (created_at, approval_id) where state = 'waiting';
create index approval_newest on postrider.approval (created_at, approval_id);
comment on table postrider.approval is 'calls of tools that a person is asked about before they are run; deciding: approval_decide()';
comment on column postrider.approval.requester is 'the user whose turn it is; they or an owner may decide';
comment on column postrider.approval.question is 'the open question (postrider.question); its calls are asked about in one message, and decided once: a job that is begun anew asks again, by another question';
comment on column postrider.approval.call is 'the key of the step that runs the tool once it is approved';
comment on column postrider.approval.state is
    'waiting, approved, rejected, expired (nobody answered in time) or withdrawn (the person wrote something else, or the tool changed); approval_state() also knows what waits in vain';
comment on column postrider.approval.used_at is 'when the tool began to run; an approval is good for one run';
comment on column postrider.approval.digest is 'SHA-256 of the tool''s definition, the exact arguments, the requester and the job with its restarts: what else is run than was asked about is refused';
