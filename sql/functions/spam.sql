-- The spam filter's training. A sample and its counts change in one transaction. The row of spam_training is locked first, so
-- trainings of one group go one after the other and lock rows of spam_count in no circle. The audit is told by triggers when the
-- transaction commits (audited.sql).

create or replace function postrider.spam_train(
    chat bigint, kind text, content text, features bigint[], origin text, trained_by text, person bigint default null
) returns bigint language plpgsql as $$
declare
    trainer constant text := coalesce(nullif(spam_train.trained_by, ''), postrider.audit_actor());
    as_spam constant int := (spam_train.kind = 'spam')::int;
    as_ham constant int := (spam_train.kind = 'ham')::int;
    learned bigint;
begin
    insert into postrider.spam_training as t (chat_id, spam, ham, revision) values (chat, as_spam, as_ham, 1)
    on conflict (chat_id) do update set spam = t.spam + as_spam, ham = t.ham + as_ham, revision = t.revision + 1;
    insert into postrider.spam_sample (chat_id, kind, content, features, origin, trained_by, user_id)
    values (chat, spam_train.kind, spam_train.content, case when as_spam + as_ham = 1 then spam_train.features else '{}' end,
            spam_train.origin, trainer, person)
    on conflict do nothing
    returning sample_id into learned;
    if learned is null then
        update postrider.spam_training t set spam = t.spam - as_spam, ham = t.ham - as_ham where t.chat_id = chat;
        return null;
    end if;
    insert into postrider.spam_count as c (chat_id, feature, spam, ham)
    select s.chat_id, f.feature, as_spam, as_ham
    from postrider.spam_sample s cross join lateral unnest(s.features) f(feature) where s.sample_id = learned
    on conflict (chat_id, feature) do update set spam = c.spam + as_spam, ham = c.ham + as_ham;
    return learned;
end $$;
comment on function postrider.spam_train(bigint, text, text, bigint[], text, text, bigint) is
    'for the program, which knows the features: teaches the spam filter a sample or a stop word, for a group or for all (0), on the word of trained_by or else of who acts in this transaction; returns its id, null if it is there already';

create or replace function postrider.spam_withdraw(sample bigint, withdrawer text) returns boolean language plpgsql as $$
declare
    whose constant text := coalesce(nullif(withdrawer, ''), postrider.audit_actor());
    s postrider.spam_sample;
    as_spam int;
    as_ham int;
begin
    select * into s from postrider.spam_sample x where x.sample_id = sample and x.withdrawn_at is null;
    if s.sample_id is null then return false; end if;
    perform from postrider.spam_training t where t.chat_id = s.chat_id for update;
    update postrider.spam_sample x set withdrawn_at = postrider.now(), withdrawn_by = whose
    where x.sample_id = sample and x.withdrawn_at is null returning x.* into s; -- its group may have moved meanwhile
    if not found then return false; end if; -- somebody else was first
    as_spam := (s.kind = 'spam')::int;
    as_ham := (s.kind = 'ham')::int;
    update postrider.spam_training t set spam = t.spam - as_spam, ham = t.ham - as_ham, revision = t.revision + 1
    where t.chat_id = s.chat_id;
    update postrider.spam_count c set spam = c.spam - as_spam, ham = c.ham - as_ham
    where c.chat_id = s.chat_id and c.feature = any(s.features);
    delete from postrider.spam_count c
    where c.chat_id = s.chat_id and c.feature = any(s.features) and c.spam = 0 and c.ham = 0;
    return true;
end $$;
comment on function postrider.spam_withdraw(bigint, text) is
    'for the program: undoes a training; the counts are those without the sample; false: it was withdrawn, or never there';

-- The group's own samples and those that all share. Callers lock both rows of spam_training before.
create or replace function postrider.spam_withdraw_text(chat bigint, kind text, content text, withdrawer text)
returns int language sql as $$
    select count(*) filter (where postrider.spam_withdraw(s.sample_id, withdrawer))::int
    from (select x.sample_id from postrider.spam_sample x
          where x.chat_id in (chat, 0) and x.kind = spam_withdraw_text.kind and x.withdrawn_at is null
            and md5(x.content) = md5(spam_withdraw_text.content) and x.content = spam_withdraw_text.content
          order by x.chat_id, x.sample_id) s
$$;
comment on function postrider.spam_withdraw_text(bigint, text, text, text) is
    'for the program: undoes the trainings of this kind with exactly this text in a group; returns how many';

-- A group that became a supergroup has another id: it keeps its samples and members. Its messages have new numbers, so what was caught
-- before stays under the old id, and is listed with the rest.
create or replace function postrider.spam_chat_moved() returns trigger language plpgsql as $$
declare
    sample bigint;
begin
    -- Members first, as in a worker's commit.
    perform from postrider.spam_member m where m.chat_id = new.chat_id order by m.user_id for update;
    insert into postrider.spam_member (chat_id, user_id, messages, approved_at, approved_by, strikes, banned_at, banned_by)
    select new.migrated_to, m.user_id, m.messages, m.approved_at, m.approved_by, m.strikes, m.banned_at, m.banned_by
    from postrider.spam_member m where m.chat_id = new.chat_id order by m.user_id
    on conflict do nothing;
    delete from postrider.spam_member m where m.chat_id = new.chat_id;
    perform from postrider.spam_training t where t.chat_id in (new.chat_id, new.migrated_to) order by t.chat_id for update;
    for sample in select o.sample_id from postrider.spam_sample o
                  where o.chat_id = new.chat_id and o.withdrawn_at is null
                    and exists (select from postrider.spam_sample s
                                where s.chat_id = new.migrated_to and s.withdrawn_at is null and s.kind = o.kind
                                  and s.content = o.content)
    loop
        perform postrider.spam_withdraw(sample, 'moved'); -- it is there already
    end loop;
    insert into postrider.spam_training as t (chat_id, spam, ham, revision)
    select new.migrated_to, o.spam, o.ham, o.revision + 1 from postrider.spam_training o where o.chat_id = new.chat_id
    on conflict (chat_id) do update
    set spam = t.spam + excluded.spam, ham = t.ham + excluded.ham, revision = t.revision + excluded.revision;
    delete from postrider.spam_training t where t.chat_id = new.chat_id;
    update postrider.spam_sample s set chat_id = new.migrated_to where s.chat_id = new.chat_id;
    insert into postrider.spam_count as c (chat_id, feature, spam, ham)
    select new.migrated_to, o.feature, o.spam, o.ham from postrider.spam_count o where o.chat_id = new.chat_id
    on conflict (chat_id, feature) do update set spam = c.spam + excluded.spam, ham = c.ham + excluded.ham;
    delete from postrider.spam_count c where c.chat_id = new.chat_id;
    return null;
end $$;
comment on function postrider.spam_chat_moved() is
    'takes what the spam filter knows of a group to the supergroup that it became';

create or replace trigger spam_chat_moved after insert or update of migrated_to on postrider.chat
    for each row when (new.migrated_to is not null) execute function postrider.spam_chat_moved();

-- Messages of the bot in the admin chats that quote the person: notices, decisions, reasons and questions. A notice names its author, a
-- question has the text alone. With what their jobs have of them.
create or replace function postrider.erase_spam_notices(person bigint) returns bigint language plpgsql as $$
declare
    jobs bigint[];
    notices bigint;
begin
    with caught as materialized (
        select l.lane_id, c.admin_message_id, c.content, c.caught_at from postrider.spam_catch c
        join postrider.lane l on l.bot_id = c.bot_id and l.chat_id = c.admin_chat_id
        where c.user_id = person
    ), gone as (
        delete from postrider.message m using caught c
        where m.lane_id = c.lane_id and m.role <> 'user' and m.created_at >= c.caught_at - interval '1 hour'
          and (m.telegram_message_id = c.admin_message_id
               or position(person || ' in the group ' in m.content) > 0
               or starts_with(m.content, 'Teach the filter ') and c.content <> '' and position(left(c.content, 500) in m.content) > 0)
        returning m.job_id
    )
    select coalesce(array_agg(g.job_id), '{}') into jobs from gone g;
    notices := cardinality(jobs);
    -- The lanes of presses are those of agent/moderation/press_job.hpp.
    jobs := jobs || array(
        select j.job_id from postrider.job j
        where j.lane_id = any(array(select l.lane_id from postrider.spam_catch c
                                    join postrider.lane l on l.lane_key = 'moderation:' || c.bot_id || ':' || c.chat_id || ':0'
                                    where c.user_id = person))
          and j.kind = 'catch_press' and split_part(j.input ->> 'data', ':', 5) = person::text);
    if cardinality(jobs) = 0 then return notices; end if;
    update postrider.effect e set request = null, result = null
    where e.job_id = any(jobs) and e.kind like '%.send' and (e.request is not null or e.result is not null);
    update postrider.step s set result = null
    where s.job_id = any(jobs) and s.key ~ '(^|/)question([-#][0-9]+)?$' and s.result is not null;
    return notices;
end $$;
comment on function postrider.erase_spam_notices(bigint) is
    'for erase_spam: deletes what the bot told admin chats of the person''s messages, in the history and in the effects of its jobs; returns how many messages';

-- For postrider erase: what is left says that somebody was a member, nothing else.
create or replace function postrider.erase_spam(person bigint) returns jsonb language plpgsql as $$
declare
    sample bigint;
    samples bigint;
    verdicts bigint;
    recent bigint;
    members bigint;
    catches bigint;
    notices bigint;
begin
    notices := postrider.erase_spam_notices(person); -- by the catches, which go below
    -- In the order of a worker's commit. Who is banned stays so.
    perform from postrider.spam_member m where m.user_id = person order by m.chat_id for update;
    delete from postrider.spam_member m where m.user_id = person and m.banned_at is null;
    get diagnostics members = row_count;
    perform from postrider.spam_training t
    where t.chat_id in (select s.chat_id from postrider.spam_sample s where s.user_id = person and s.withdrawn_at is null)
    order by t.chat_id for update; -- before the audit, as trainings do
    for sample in select s.sample_id from postrider.spam_sample s
                  where s.user_id = person and s.withdrawn_at is null order by s.chat_id, s.sample_id
    loop
        perform postrider.spam_withdraw(sample, 'erase');
    end loop;
    update postrider.spam_sample s set content = null, features = '{}' where s.user_id = person and s.content is not null;
    get diagnostics samples = row_count;
    delete from postrider.spam_verdict v where v.user_id = person;
    get diagnostics verdicts = row_count;
    delete from postrider.spam_recent r where r.user_id = person;
    get diagnostics recent = row_count;
    delete from postrider.spam_catch c where c.user_id = person;
    get diagnostics catches = row_count;
    delete from postrider.spam_report r where r.user_id = person;
    delete from postrider.spam_reaction r where r.user_id = person;
    delete from postrider.spam_registration r where r.user_id = person;
    delete from postrider.spam_opinion o where o.user_id = person;
    return jsonb_build_object('spam_catch', catches, 'spam_sample', samples, 'spam_verdict', verdicts, 'spam_recent', recent, 'spam_member', members, 'spam_notice', notices);
end $$;
comment on function postrider.erase_spam(bigint) is
    'for erase_rows: withdraws and empties the person''s samples, and deletes their verdicts, catches, recent messages and reactions, what others said of them, and memberships without a ban, and what admin chats were told of them';

create or replace function postrider.prune_spam() returns bigint language sql as $$
    with verdicts as (
        delete from postrider.spam_verdict
        where ctid = any(array(select v.ctid from postrider.spam_verdict v
                               where v.judged_at < postrider.now() - interval '30 days'
                               order by v.judged_at limit 5000 for update skip locked))
        returning 1), recent as (
        delete from postrider.spam_recent
        where ctid = any(array(select r.ctid from postrider.spam_recent r
                               where r.sent_at < postrider.now() - interval '1 day'
                               order by r.sent_at limit 5000 for update skip locked))
        returning 1), catches as (
        delete from postrider.spam_catch
        where ctid = any(array(select c.ctid from postrider.spam_catch c
                               where c.caught_at < postrider.now() - interval '30 days'
                               order by c.caught_at limit 5000 for update skip locked))
        returning 1), reports as (
        delete from postrider.spam_report
        where ctid = any(array(select r.ctid from postrider.spam_report r
                               where r.reported_at < postrider.now() - interval '30 days'
                               order by r.reported_at limit 5000 for update skip locked))
        returning 1), reactions as (
        delete from postrider.spam_reaction
        where ctid = any(array(select r.ctid from postrider.spam_reaction r
                               where r.reacted_at < postrider.now() - interval '1 day'
                               order by r.reacted_at limit 5000 for update skip locked))
        returning 1), registrations as (
        delete from postrider.spam_registration
        where ctid = any(array(select r.ctid from postrider.spam_registration r
                               where r.asked_at < postrider.now() - interval '30 days'
                               order by r.asked_at limit 5000 for update skip locked))
        returning 1), opinions as (
        delete from postrider.spam_opinion
        where ctid = any(array(select o.ctid from postrider.spam_opinion o
                               where o.given_at < postrider.now() - interval '30 days'
                               order by o.given_at limit 5000 for update skip locked))
        returning 1)
    select (select count(*) from reports) + (select count(*) from verdicts) + (select count(*) from recent) + (select count(*) from catches)
         + (select count(*) from reactions) + (select count(*) from registrations) + (select count(*) from opinions)
$$;
comment on function postrider.prune_spam() is
    'for the maintenance: deletes verdicts, catches, reports and what others said of 30 days, recent messages and reactions of a day, at most 5000 of each at a time; returns how many';
