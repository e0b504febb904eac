-- A message of a chat may stand in a flow's lane (settings.lane), which its edit does not name: the new text may belong to another
-- flow. So it is found by its number in its chat. Messages in their chat's own lane are not in the index. A column of its own:
-- telegram_message_id changes with each answer that is sent, and no index of it leaves that update within its page.
alter table postrider.message add column number_elsewhere bigint;
comment on column postrider.message.number_elsewhere is
    'of a person''s message in a lane that is not its chat''s: telegram_message_id once more, for the index; null: of any other, and of one from two days before the column';
create index message_elsewhere on postrider.message (chat_id, number_elsewhere) where number_elsewhere is not null;
-- As long as Telegram lets people edit.
update postrider.message m set number_elsewhere = m.telegram_message_id
where m.created_at > postrider.now() - interval '2 days' and m.role = 'user' and m.chat_id is not null
  and exists (select from postrider.lane l where l.lane_id = m.lane_id and l.chat_id is distinct from m.chat_id);
comment on column postrider.request_key.job_id is 'null inside the transaction that makes the job, and of an album that is answered once';
