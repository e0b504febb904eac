-- What Telegram tells one node of a chat and every node has to know.

create or replace function postrider.chat_moved() returns trigger language plpgsql as $$
begin
    perform pg_notify('postrider', 'chats');
    return null;
end $$;
comment on function postrider.chat_moved() is 'tells every node that a group became a supergroup: it is allowed, and written to, under its new id';
create or replace trigger chat_moved after insert or update of migrated_to on postrider.chat
    for each row when (new.migrated_to is not null) execute function postrider.chat_moved();
