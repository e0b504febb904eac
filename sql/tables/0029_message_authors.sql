-- Who wrote a message. Rows from before have no author, and the origin that follows from their role (origin_of()). New columns
-- without a default and a constraint that looks at new rows only: no row is written or read.
alter table postrider.message
    add column origin         text,
    add column sender_chat_id bigint,
    add column author         jsonb;

create function postrider.message_fits(role text, delivery text, origin text) returns boolean
language plpgsql immutable parallel safe as $$
declare
    rule constant text := case
        when role not in ('system', 'user', 'assistant', 'tool') then 'message_role_check'
        when delivery not in ('pending', 'sent', 'failed', 'unknown') then 'message_delivery_check'
        when origin not in ('person', 'agent', 'engine', 'node') then 'message_origin_check'
    end;
begin
    return rule is null or postrider.row_refused('message', rule);
end $$;
comment on function postrider.message_fits(text, text, text) is 'the CHECK of message';
alter table postrider.message
    drop constraint message_fits,
    add constraint message_fits check (postrider.message_fits(role, delivery, origin)) not valid;
drop function postrider.message_fits(text, text);

comment on column postrider.message.origin is
    'who said it: person, agent (a model or the rules that stand in for it, and their tools), engine (apologies, approvals, answers to commands, reminders), node (a node of the flow with a text of its own); null = by its role, see origin_of()';
comment on column postrider.message.sender_id is
    'the user who wrote it, as Telegram says; where sender_chat_id is set a stand-in of Telegram''s, no person';
comment on column postrider.message.sender_chat_id is
    'the chat in whose name it was written: the group of an anonymous administrator, or a channel; null = in the sender''s own';
comment on column postrider.message.sender_name is
    'as shown when it was said: first and last name, or the chat''s title';
comment on column postrider.message.author is
    'what else Telegram says of a person''s message: {"username", "first_name", "last_name", "is_bot", "chat_username", "reply_user", "quote", "forward": {"kind", "id", "name", "username", "message", "date"}, "media"}; members without a value are missing';
