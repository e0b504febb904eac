-- Business accounts that a bot is connected with, and their chats. Telegram calls such a chat as it calls the customer's own chat with the
-- bot, so it has a number of ours, which stands wherever a chat's does. Telegram's own have 52 bits: none is as large.
create table postrider.business_connection (
    bot_id       bigint not null,
    connection   text not null check (length(connection) between 1 and 200),
    account_id   bigint not null,
    connected_at timestamptz not null,
    is_enabled   boolean not null,
    may_reply    boolean not null,
    primary key (bot_id, connection)
);
create index business_connection_account on postrider.business_connection (bot_id, account_id);
comment on table postrider.business_connection is 'business accounts that a bot is connected with, as Telegram told last; of those alone that the setting names';
comment on column postrider.business_connection.account_id is 'the user whose account it is, and in whose name the bot answers';

create table postrider.business_chat (
    chat_id     bigint generated always as identity (start with 4503599627370497) primary key,
    bot_id      bigint not null,
    account_id  bigint not null,
    customer_id bigint not null,
    unique (bot_id, account_id, customer_id)
);
create index business_chat_customer on postrider.business_chat (customer_id);
comment on table postrider.business_chat is 'chats of customers with the owner of a business account, in which a bot answers';
comment on column postrider.business_chat.chat_id is 'stands for the chat and for the customer in it, wherever there is a chat''s id or a user''s';
comment on column postrider.business_chat.customer_id is 'the customer''s own Telegram id';
