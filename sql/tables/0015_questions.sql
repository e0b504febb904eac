-- Questions that are asked with buttons.

create table postrider.question (
    question_id text primary key,
    job_id      bigint not null,
    user_id     bigint,
    asked_at    timestamptz not null default postrider.now(),
    until_at    timestamptz not null,
    place       text not null
) with (autovacuum_vacuum_scale_factor = 0.05);
create index question_until on postrider.question (until_at);
comment on table postrider.question is
    'questions with buttons that are open: a press that answers one takes its row away and becomes an event of its job';
comment on column postrider.question.question_id is 'nanoid: the data of its buttons begins with it, and the event carries it as its match';
comment on column postrider.question.user_id is 'who alone may answer it, owners of the bot beside; null = whoever the bot listens to';
comment on column postrider.question.until_at is 'when the job stops waiting; such rows go when other questions are asked';
comment on column postrider.question.place is 'where it was asked, BOT:CHAT or chat:CONVERSATION: a press from elsewhere does not count';

-- Of a new database the views' last file does it.
do $$
begin
    if to_regprocedure('postrider.grant_reader()') is not null then perform postrider.grant_reader(); end if;
end $$;
