-- Edits may come in another order than they were made.
alter table postrider.message add column edit_order bigint[];
comment on column postrider.message.edit_order is
    'of an edited message: the date of the edit whose text it has (Unix seconds), and its update''s id: an earlier edit changes nothing; null = no edit, or one of an older version';
