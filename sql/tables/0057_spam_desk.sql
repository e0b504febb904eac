-- What people look at of the spam filter: pages of what was caught among many verdicts, and what Telegram refused to do.
alter table postrider.spam_verdict add column is_caught boolean not null default false;
comment on column postrider.spam_verdict.is_caught is 'the message has a catch, also where this wording passed: by a person''s word, or for another wording';
update postrider.spam_verdict v set is_caught = true
where exists (select from postrider.spam_catch c
              where c.chat_id = v.chat_id and c.message_id = v.message_id and c.user_id = v.user_id);
drop index postrider.spam_verdict_caught;
create index spam_verdict_caught on postrider.spam_verdict (judged_at) where is_spam or is_caught;
create index spam_verdict_caught_in_group on postrider.spam_verdict (chat_id, judged_at) where is_spam or is_caught;

alter table postrider.spam_catch add column refused text;
comment on column postrider.spam_catch.refused is 'why Telegram did not do what was decided; null = nothing was refused';
create index spam_catch_refused on postrider.spam_catch (caught_at) where refused is not null;

-- A group that became a supergroup is found from either of its ids.
create index chat_became on postrider.chat (migrated_to) where migrated_to is not null;
create index chat_left on postrider.chat (chat_id) where migrated_to is not null;
