-- Albums: several messages that a person sends as one. Each comes by an update of its own; the first starts a job, which waits for a
-- moment before it begins (the step "album", and "album_again" after a start of the process), and what comes meanwhile belongs to it.

-- It has not begun, and whoever runs it next reads its input. The job is locked with its lane.
create or replace function postrider.album_waits(j postrider.job) returns boolean language sql stable as $$
    select j.finished_at is null and j.asked is null
       and not exists (select from postrider.step s where s.job_id = j.job_id and s.key not in ('album', 'album_again') and position('~' in s.key) = 0)
       and not exists (select from postrider.effect e where e.job_id = j.job_id and position('~' in e.key) = 0)
       and (j.state <> 'running' or not exists (select from postrider.step s where s.job_id = j.job_id and s.key = 'album'))
$$;
comment on function postrider.album_waits(postrider.job) is 'for the functions of this schema: whether a job still waits for the rest of its album';

-- `lane` is that of the chat, which is locked before that of its commands. `part` is the input of the job that the message would start,
-- `words` what the person wrote to it, `wordless` what stands in the history for a picture without words; the input of any other part says
-- that it has none. What nothing can read has the command "(unread)": it is explained, unless the album has more. Then that explanation is
-- not given, and what it was about goes with the part that has more.
create or replace function postrider.album_join(
    scope text, key text, lane bigint, part jsonb, words text, wordless text, out outcome text, out attachment text
) language plpgsql as $$
declare
    of_album constant bigint := (select k.job_id from postrider.request_key k where k.scope = album_join.scope and k.key = album_join.key);
    is_unread constant boolean := coalesce(part ->> 'command' = '(unread)', false);
    j postrider.job;
begin
    outcome := case when is_unread then 'explained' else 'begins' end;
    if of_album is null then return; end if;
    perform postrider.bound_transaction();
    perform from postrider.lane l where l.lane_id = lane for no key update;
    perform from postrider.lane_run r where r.lane_id = lane for update;
    j := postrider.job_lock(of_album);
    if j.job_id is null or j.input -> 'user' is distinct from part -> 'user' or not postrider.album_waits(j) then return; end if;
    if not is_unread and j.input ->> 'command' = '(unread)' then
        attachment := j.input ->> 'attachment';
        update postrider.job x set input = x.input || '{"silent": true}' where x.job_id = j.job_id;
        return;
    end if;
    update postrider.job x
    set input = x.input || jsonb_strip_nulls(jsonb_build_object(
        'images', case when part ? 'images' then coalesce(x.input -> 'images', '[]') || (part -> 'images') end,
        'files', case when part ? 'file' then coalesce(x.input -> 'files', '[]') || jsonb_build_array(part -> 'file') end,
        'attachment', case when part ? 'attachment' then concat_ws(', ', x.input ->> 'attachment', part ->> 'attachment') end))
    where x.job_id = j.job_id;
    update postrider.message m
    set content = case when m.content = wordless or j.input ? 'wordless' then words else m.content || chr(10) || words end
    from postrider.job_messages(j) o
    where words <> '' and m.lane_id = o.lane_id and m.job_id = j.job_id and m.position = o.position and o.position = 0 and o.role = 'user';
    if words <> '' then update postrider.job x set input = x.input - 'wordless' where x.job_id = j.job_id; end if;
    if j.input ->> 'command' is distinct from '(unread)' then outcome := 'joined'; end if;
end $$;
comment on function postrider.album_join(text, text, bigint, jsonb, text, text) is
    'for the server: a part of an album whose key is taken. joined: it belongs to the job of its album now; explained: nothing of it is answered but what the album''s first part is; begins: it starts a job, with this attachment of parts before it';
