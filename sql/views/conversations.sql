-- The documented views of the tables, for people with psql. sql/recipes.psql shows how to use it.

create view postrider.messages as
select m.id, coalesce(l.chat_id, m.chat_id) as chat_id, m.role, m.content, m.created_at, m.conversation_id, m.job_id,
       m.delivery, m.thread_id, m.sender_id, m.sender_name, m.telegram_message_id, m.reply_to, m.sent_at, m.earlier,
       coalesce(c.id, postrider.conversation_uuid(nullif(m.conversation_id, 0))) as conversation,
       postrider.origin_of(m) as origin, m.sender_chat_id, postrider.author_of(m) as author
from postrider.message m join postrider.lane l using (lane_id)
left join postrider.api_conversation c on c.lane_id = m.lane_id
where m.role in ('user', 'assistant') and m.content <> '' and l.lane_key not like 'fork:%';
comment on view postrider.messages is 'messages by chat, without those of forks, which are never sent: id (nanoid), chat_id, role, content, created_at. Messages of people also have the sender, the message that they reply to, and the time by Telegram''s clock. earlier: the wordings before edits. conversation: its UUID; null where people alone read the message, and no model';
comment on column postrider.messages.origin is 'who said it: person, agent, engine or node';
comment on column postrider.messages.author is 'of people: id, name, username and what else Telegram says of them and of how the message came';
comment on column postrider.messages.chat_id is 'the current id of the chat; null = a conversation of the chat API';

create view postrider.rejected_updates as
select b.name as bot, i.update_id, i.received_at, i.reason, octet_length(i.raw) as bytes, i.raw
from postrider.inbox i left join postrider.bot b using (bot_id) where i.disposition = 'rejected';
comment on view postrider.rejected_updates is 'authentic updates that could not be used, with their bytes';
