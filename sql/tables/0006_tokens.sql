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

-- Whether a text can be a token is known without a look-up: tokens carry a MAC.
create table postrider.token_key (
    made_at timestamptz not null default postrider.now(),
    mac_key bytea not null check (octet_length(mac_key) = 32)
);
-- One at most.
create unique index token_key_alone on postrider.token_key ((true));
comment on table postrider.token_key is 'the key of the MAC that tokens carry: a wrong token is refused without a query';
-- Each UUID has 122 random bits.
insert into postrider.token_key (mac_key)
values (sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid(), gen_random_uuid()), 'UTF8')));
