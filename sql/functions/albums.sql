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

create or replace function postrider.album_files(input jsonb) returns jsonb language sql immutable parallel safe as $$
    select case when input ? 'file' then jsonb_build_array(input -> 'file') else '[]' end || coalesce(input -> 'files', '[]')
$$;
comment on function postrider.album_files(jsonb) is 'for the functions of this schema: the files of a job''s message, in the order in which they came';

-- The `file` is the first one. Speech is written down, so where that came later, it is the one that the later part speaks in.
create or replace function postrider.album_media(earlier jsonb, later jsonb, speaks_later boolean) returns jsonb
language sql immutable parallel safe as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'images', nullif(coalesce(earlier -> 'images', '[]') || coalesce(later -> 'images', '[]'), '[]'),
        'file', f.files -> f.main, 'files', nullif(f.files - f.main, '[]'),
        'attachment', nullif(concat_ws(', ', earlier ->> 'attachment', later ->> 'attachment'), '')))
    from (select postrider.album_files(earlier) || postrider.album_files(later) as files,
                 case when speaks_later then jsonb_array_length(postrider.album_files(earlier)) else 0 end as main) f
$$;
comment on function postrider.album_media(jsonb, jsonb, boolean) is
    'for the functions of this schema: the media of two parts of an album, as members of one job''s input';

-- `lane` is that of the chat, which is locked before that of its commands. `part` is the input of the job that the message would start,
-- `words` what the person wrote to it, `wordless` what stands in the history for a picture without words; the input of any other part says
-- that it has none. What nothing can read has the command "(unread)": it is explained, unless the album has more. Then that explanation is
-- not given. A command that came later than other parts takes what they brought, and the job that they started says nothing: but not where
-- that job has taken the place of other messages, which it answers.
create or replace function postrider.album_join(
    scope text, key text, lane bigint, part jsonb, words text, wordless text, out outcome text, out taken jsonb
) language plpgsql as $$
declare
    of_album constant bigint := (select k.job_id from postrider.request_key k where k.scope = album_join.scope and k.key = album_join.key);
    is_unread constant boolean := coalesce(part ->> 'command' = '(unread)', false);
    is_command constant boolean := part ? 'command' and not is_unread;
    was_unread boolean;
    j postrider.job;
begin
    outcome := case when is_unread then 'explained' else 'begins' end;
    if of_album is null then return; end if;
    perform postrider.bound_transaction();
    perform from postrider.lane l where l.lane_id = lane for no key update;
    perform from postrider.lane_run r where r.lane_id = lane for update;
    j := postrider.job_lock(of_album);
    if j.job_id is null or j.input -> 'user' is distinct from part -> 'user' or not postrider.album_waits(j) then return; end if;
    was_unread := coalesce(j.input ->> 'command' = '(unread)', false);
    if is_command and (was_unread or not j.input ? 'command' and j.input ? 'wordless' and not exists (
                           select from postrider.job o
                           where o.lane_id = j.lane_id and o.job_id between j.job_id - 200000 and j.job_id - 1
                             and (o.output ->> 'coalesced_into')::bigint = j.job_id))
       or not is_unread and was_unread and j.lane_id <> lane then
        taken := postrider.album_media(j.input, '{}', false);
        update postrider.job x set input = x.input || '{"command": "(unread)", "silent": true}' where x.job_id = j.job_id;
        return;
    end if;
    update postrider.job x
    set input = case when was_unread and not is_unread then part || postrider.album_media(x.input, part, part ? 'spoken')
                     else x.input || postrider.album_media(x.input, part, false) end
    where x.job_id = j.job_id;
    update postrider.message m
    set content = case when m.content = wordless or j.input ? 'wordless' then words else m.content || chr(10) || words end
    from postrider.job_messages(j) o
    where words <> '' and m.lane_id = o.lane_id and m.job_id = j.job_id and m.position = o.position and o.position = 0 and o.role = 'user';
    if words <> '' then update postrider.job x set input = x.input - 'wordless' where x.job_id = j.job_id; end if;
    if not (was_unread and is_unread) then outcome := 'joined'; end if;
end $$;
comment on function postrider.album_join(text, text, bigint, jsonb, text, text) is
    'for the server: a part of an album whose key is taken. joined: it belongs to the job of its album now; explained: nothing of it is answered but what the album''s first part is; begins: it starts a job, with these media of parts before it';
