-- What Telegram tells one node of a chat and every node has to know.

create or replace function postrider.chat_moved() returns trigger language plpgsql as $$
begin
    perform pg_notify('postrider', 'chats');
    return null;
end $$;
comment on function postrider.chat_moved() is 'tells every node that a group became a supergroup, which is allowed and written to under its new id, or that a chat must not be written to for a while';
create or replace function postrider.current_place(place text) returns text language sql stable as $$
    select coalesce((select c.bot_id || ':' || c.migrated_to from postrider.chat c
                     where c.migrated_to is not null
                       and c.bot_id = case when place ~ '^[0-9]+:-?[0-9]+$' then split_part(place, ':', 1)::bigint end
                       and c.chat_id = case when place ~ '^[0-9]+:-?[0-9]+$' then split_part(place, ':', 2)::bigint end),
                    place)
$$;
comment on function postrider.current_place(text) is
    'for the functions of this schema: where the people of a place (bot:chat) are by now; a group may have become a supergroup';

create or replace function postrider.current_chat(chat bigint) returns bigint language sql stable as $$
    select coalesce((select c.migrated_to from postrider.chat c where c.chat_id = chat and c.migrated_to is not null limit 1), chat)
$$;
comment on function postrider.current_chat(bigint) is
    'for the program: the id by which a group goes by now, whichever bot heard of it';

create or replace trigger chat_moved after insert or update of migrated_to, send_after on postrider.chat
    for each row when (new.migrated_to is not null or new.send_after > postrider.now()) execute function postrider.chat_moved();
