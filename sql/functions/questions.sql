-- Presses of buttons, and what else happens in chats, as events of jobs.

-- The job is locked with its lane first, as for every change of it; so the question is looked at again.
create or replace function postrider.press_button(
    question text, place text, presser bigint, is_owner boolean, closes boolean, payload jsonb
) returns text language plpgsql as $$
declare
    asked postrider.question;
    job postrider.job;
begin
    select * into asked from postrider.question q where q.question_id = press_button.question;
    if asked.question_id is null then return 'not_open'; end if;
    if asked.people is null and asked.place <> press_button.place and postrider.current_place(asked.place) <> press_button.place then return 'not_open'; end if;
    if asked.people is not null and presser <> all(asked.people) then return 'not_yours'; end if;
    if asked.people is null and asked.user_id <> presser and not is_owner then return 'not_yours'; end if;
    -- What no button of it says, as of a client of one's own making, is no answer.
    if asked.choices is not null
       and coalesce(case when closes then ':' else '?' end || (payload ->> 'choice') <> all(asked.choices), true) then return 'not_open'; end if;
    job := postrider.job_lock(asked.job_id);
    if job.job_id is null or postrider.job_is_over(job) or asked.until_at <= postrider.now() then return 'not_open'; end if;
    if closes then
        delete from postrider.question q where q.question_id = asked.question_id;
    else
        perform from postrider.question q where q.question_id = asked.question_id;
    end if;
    if not found then return 'not_open'; end if;
    perform postrider.deliver_event(job.lane_id, job.job_id, 'press', payload, asked.question_id);
    return 'taken';
end $$;
comment on function postrider.press_button(text, text, bigint, boolean, boolean, jsonb) is
    'for the server: a press of a question''s button becomes the event press of its job, with the question as its match: taken, not_open, not_yours; closes: no other press answers it';

-- Nobody waits for the answer any more: presses count for nothing, approvals that have not been used are withdrawn, and a job beside the
-- turn's says so in the question and takes the buttons away. The turn's lane is locked, as for every change of the job.
create or replace function postrider.withdraw_questions(lane bigint, job bigint, questions text[]) returns void language plpgsql as $$
declare
    beside constant text := 'failures:' || lane;
    shown record;
begin
    if questions = '{}' then return; end if;
    update postrider.approval a set state = 'withdrawn', decided_at = coalesce(a.decided_at, postrider.now())
    where a.question = any(questions) and a.state in ('waiting', 'approved') and a.used_at is null;
    for shown in
        select jsonb_strip_nulls(jsonb_build_object('bot', e.request -> 'bot', 'chat', e.request -> 'chat', 'thread', e.request -> 'thread',
                                                    'conversation', e.request -> 'conversation', 'message', e.result,
                                                    'text', e.request -> 'withdrawn', 'markup', e.request -> 'markup')) as instead
        from postrider.question q
        join postrider.effect e on e.job_id = withdraw_questions.job and e.state = 'done' and position(q.question_id in e.request::text) > 0
        where q.question_id = any(questions) and jsonb_typeof(e.result) = 'number'
    loop
        insert into postrider.lane (lane_key) values (beside) on conflict (lane_key) do nothing;
        perform postrider.job_later((select l.lane_id from postrider.lane l where l.lane_key = beside), 'question_end', shown.instead,
                                    postrider.now(), time_limit => interval '1 day');
    end loop;
    delete from postrider.question q where q.question_id = any(questions);
end $$;
comment on function postrider.withdraw_questions(bigint, bigint, text[]) is 'for the functions of this schema: ends questions that their job does not wait for any more';

-- Unlike lane_send_event it keeps nothing for later: most of what happens in a chat nobody waits for. A chat has a lane
-- for each of its topics. The rows of all are locked before the first event is delivered, as docs/states.md (Locks) asks.
create or replace function postrider.tell_chat(bot bigint, chat bigint, type text, payload jsonb) returns int language plpgsql as $$
declare
    lanes constant bigint[] := array(
        select l.lane_id from postrider.lane l
        where l.bot_id = bot and l.chat_id = chat
          and exists (select from postrider.wait w
                      where w.lane_id = l.lane_id and w.type = tell_chat.type and w.match is null
                        and exists (select from postrider.job j where j.job_id = w.job_id and j.finished_at is null offset 0))
        order by l.lane_id limit 1000);
    told int;
begin
    if lanes = '{}' then return 0; end if;
    perform postrider.bound_transaction();
    perform from postrider.lane l where l.lane_id = any(lanes) order by l.lane_id for no key update;
    perform from postrider.lane_run r where r.lane_id = any(lanes) order by r.lane_id for update;
    -- A wait may have ended before its lane could be locked.
    perform postrider.deliver_event(waiting.lane_id, null, tell_chat.type, payload, null)
    from unnest(lanes) as waiting(lane_id)
    where exists (select from postrider.wait w
                  where w.lane_id = waiting.lane_id and w.type = tell_chat.type and w.match is null
                    and exists (select from postrider.job j where j.job_id = w.job_id and j.finished_at is null offset 0) offset 0);
    get diagnostics told = row_count;
    return told;
end $$;
comment on function postrider.tell_chat(bigint, bigint, text, jsonb) is
    'for the server: an event for a job of each of the chat''s lanes, 1000 at most, that waits for this type right now; returns of how many lanes. Nothing is kept where none does';

-- A person ends the turn that they have in a chat: the oldest that does not end already. Where a lane coalesces, what waits is one turn.
-- What they may not end, or what an operator has paused, stays. A lane may have turns of several chats. `said` is folded, as the words of a
-- question are: where it answers the turn's open question, it is no end.
create or replace function postrider.turn_end(
    lane bigint, place jsonb, person bigint, is_owner boolean, said text default null, out ended bigint, out others boolean
) language plpgsql as $$
declare
    found_job record;
    ends_already bigint;
    coalesces boolean;
    here constant text := postrider.current_place(concat(place ->> 'bot', ':', place ->> 'chat'));
    former_actor constant text := coalesce(current_setting('postrider.actor', true), '');
begin
    others := false;
    perform postrider.bound_transaction();
    select l.mailbox = 'coalesce' into coalesces from postrider.lane l where l.lane_id = lane for no key update;
    perform from postrider.lane_run r where r.lane_id = lane for update;
    for found_job in
        select j.job_id, j.started_at is null as is_new, j.asked in ('cancel', 'rollback') as ends,
               is_owner or coalesce(postrider.number_in(j.input, 'user') = person, false) as may
        from postrider.job j
        where j.lane_id = lane and j.finished_at is null and j.kind = 'turn' and j.state not in ('paused', 'scheduled')
          and j.asked is distinct from 'pause'
          and j.job_id >= (select r.head from postrider.lane_run r where r.lane_id = lane order by r.epoch desc limit 1)
          and j.input @> (place - 'chat')
          and (j.input @> place or postrider.current_place(concat(j.input ->> 'bot', ':', j.input ->> 'chat')) = here)
        order by j.job_id
    loop
        if not found_job.may then
            others := true;
            continue;
        end if;
        if found_job.ends then
            ends_already := coalesce(ends_already, found_job.job_id);
            continue;
        end if;
        if ended is not null and not found_job.is_new then
            continue;
        end if;
        if said is not null and ended is null and exists (
            select from postrider.question q
            where q.job_id = found_job.job_id and said = any(q.words)
              and (not turn_end.place ? 'chat' or postrider.current_place(q.place) = here)) then
            others := false;
            return;
        end if;
        perform set_config('postrider.actor', 'user:' || person, true);
        perform postrider.job_cancel(found_job.job_id);
        perform set_config('postrider.actor', former_actor, true); -- others share the transaction
        ended := coalesce(ended, found_job.job_id);
        exit when not (coalesces and found_job.is_new);
    end loop;
    ended := coalesce(ended, ends_already);
    others := others and ended is null;
end $$;
comment on function postrider.turn_end(bigint, jsonb, bigint, boolean, text) is
    'for the server: cancels the oldest live turn of a place that the person may end (their own, as an owner any), in a lane that coalesces all that wait; ended: it, or one that ends already; others: only turns of others are there. Locks the lane in any case';
