-- Access to the console in the browser: one-time links, and the sessions that they open.

create table postrider.console_link (
    link_id    bigint generated always as identity primary key,
    user_id    bigint,
    created_at timestamptz not null default postrider.now(),
    expires_at timestamptz not null,
    used_at    timestamptz,
    role       text not null check (role in ('owner', 'editor', 'reader')),
    sha256     bytea not null unique check (octet_length(sha256) = 32)
);
create index console_link_age on postrider.console_link (expires_at);
comment on table postrider.console_link is
    'one-time links to the console: each opens one session, within minutes; the maintenance deletes them a day after they expire';
comment on column postrider.console_link.user_id is 'the person that the session acts as: the Telegram id; null = nobody';
comment on column postrider.console_link.used_at is 'when it opened its session; null = not yet';
comment on column postrider.console_link.sha256 is 'of the token in the link, which is not stored';

create table postrider.console_session (
    session_id   bigint generated always as identity primary key,
    user_id      bigint,
    created_at   timestamptz not null default postrider.now(),
    last_seen_at timestamptz not null default postrider.now(),
    expires_at   timestamptz not null,
    ends_at      timestamptz not null,
    revoked_at   timestamptz,
    role         text not null check (role in ('owner', 'editor', 'reader')),
    sha256       bytea not null unique check (octet_length(sha256) = 32),
    constraint console_session_slides_up_to_its_end check (expires_at <= ends_at)
);
create index console_session_age on postrider.console_session (expires_at);
comment on table postrider.console_session is
    'sessions of the console in browsers; the maintenance deletes them a day after they are over, and the audit keeps that they were';
comment on column postrider.console_session.user_id is 'the person that the session acts as: the Telegram id; null = nobody';
comment on column postrider.console_session.last_seen_at is 'to the minute, but for the first time';
comment on column postrider.console_session.expires_at is 'each use moves it on, at most to ends_at; a revocation sets it to the present';
comment on column postrider.console_session.sha256 is 'of the cookie''s value, which is not stored';

-- An editor changes drafts of flows and tests them.
alter table postrider.token drop constraint token_role_check;
alter table postrider.token add constraint token_role_check check (role in ('owner', 'editor', 'user', 'reader'));
comment on column postrider.token.role is
    'owner = everything, editor = sees what a reader sees, changes drafts of flows and tests them, reader = sees everything and changes nothing, user = what is their own';
