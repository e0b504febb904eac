-- Whether a text can be a token of the HTTP API is known without a look-up: tokens carry a MAC.

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
