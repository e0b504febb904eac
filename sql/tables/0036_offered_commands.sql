-- A start asks Telegram for one list of a bot's commands, and not for all in all languages.
alter table postrider.bot add column offered_commands text;
comment on column postrider.bot.offered_commands is
    'a digest of the product''s commands that Telegram lists for the bot in all languages; null = a start has not set them yet';
