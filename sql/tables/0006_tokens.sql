-- Bearer tokens of the HTTP API.

create table postrider.token (
    token_id     bigint generated always as identity primary key,
    user_id      bigint not null,
    created_at   timestamptz not null default postrider.now(),
    last_used_at timestamptz,
    expires_at   timestamptz,
    revoked_at   timestamptz,
    role         text not null check (role in ('owner', 'user', 'reader')),
    name         text not null default '' check (length(name) <= 100),
    sha256       bytea not null unique check (octet_length(sha256) = 32)
);
comment on table postrider.token is 'bearer tokens of the HTTP API; a revoked one keeps its row, so that it is known who had it';
comment on column postrider.token.user_id is 'whose token it is: the person''s Telegram id';
comment on column postrider.token.last_used_at is 'to the minute';
comment on column postrider.token.role is
    'owner = everything, reader = sees everything and changes nothing, user = what is their own';
comment on column postrider.token.sha256 is 'of the token, which is not stored: 256 random bits need no salt and no slow hash';
