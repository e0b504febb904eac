-- Presses of buttons, and what else happens in chats, as events of jobs.

-- The job is locked with its lane first, as by whoever else changes it; so the question is looked at again.
create or replace function postrider.press_button(
    question text, place text, presser bigint, is_owner boolean, closes boolean, payload jsonb
) returns text language plpgsql as $$
declare
    asked postrider.question;
    job postrider.job;
begin
    select * into asked from postrider.question q where q.question_id = press_button.question;
    if asked.question_id is null or asked.place <> press_button.place then return 'not_open'; end if;
    if asked.user_id <> presser and not is_owner then return 'not_yours'; end if;
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

-- Unlike lane_send_event it keeps nothing for later: most of what happens in a chat nobody waits for.
create or replace function postrider.tell_waiting(lane_key text, type text, payload jsonb) returns boolean language plpgsql as $$
declare
    lane bigint;
begin
    select l.lane_id into lane from postrider.lane l where l.lane_key = tell_waiting.lane_key;
    if lane is null or not exists (select from postrider.wait w where w.lane_id = lane and w.type = tell_waiting.type
                                                                  and w.match is null) then
        return false;
    end if;
    perform postrider.bound_transaction();
    perform from postrider.lane l where l.lane_id = lane for no key update;
    perform postrider.deliver_event(lane, null, type, payload, null);
    return true;
end $$;
comment on function postrider.tell_waiting(text, text, jsonb) is
    'for the server: an event for a job of the lane that waits for this type right now; false: none does, and nothing is kept';
