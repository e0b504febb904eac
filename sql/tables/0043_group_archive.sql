-- What was deleted stays in the archive, and is marked. Messages of watched groups are found by their numbers however many stand behind
-- them: spam is judged again when it is edited.
alter table postrider.message add column removed_at timestamptz;
comment on column postrider.message.removed_at is 'when it was deleted in its chat, as far as we know: by us, or in a chat of a business account; models do not read it any more';
comment on column postrider.message.number_elsewhere is
    'of a person''s message in a watched group, or in a lane that is not its chat''s: telegram_message_id once more, for the index; null: of any other, and of one from two days before the column';
