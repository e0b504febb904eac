-- Tables whose changes are in the audit whoever makes them: a turn, the API, the command line, or SQL by hand. Few change in a
-- plain turn. What is said in them is not repeated: names, states, digests.

create or replace function postrider.approval_audited() returns trigger language plpgsql as $$
declare
    formerly text;
    whose text;
begin
    if tg_op = 'UPDATE' then
        if old.state = new.state then return null; end if;
        formerly := old.state;
    end if;
    whose := case
        when new.state = 'waiting' then 'user:' || new.requester
        when new.state in ('approved', 'rejected') and new.decided_via in ('button', 'text') then 'user:' || coalesce(new.decided_by, 0)
        when new.state in ('approved', 'rejected') then postrider.audit_actor()
        when postrider.by_server() then coalesce(nullif(current_setting('postrider.actor', true), ''), 'postrider')
        else postrider.audit_actor() end;
    perform postrider.audit_append(new.lane_id, 'approval', new.job_id, 'approval:' || new.approval_id, json_strip_nulls(json_build_object(
        'tool', new.tool, 'call', new.call, 'digest', new.digest, 'requester', new.requester,
        'decided_by', new.decided_by, 'via', new.decided_via, 'before', formerly, 'after', new.state)), whose);
    return null;
end $$;
comment on function postrider.approval_audited() is 'for the trigger of approval: asked, approved, rejected, expired, withdrawn';
create or replace trigger approval_audited after insert or update of state on postrider.approval
    for each row execute function postrider.approval_audited();

create or replace function postrider.token_audited() returns trigger language plpgsql as $$
begin
    perform postrider.audit_append(0, case tg_op when 'INSERT' then 'token_create' else 'token_revoke' end, null, 'token:' || new.token_id,
        json_build_object('user', new.user_id, 'role', new.role, 'expires_at', postrider.iso(new.expires_at)));
    return null;
end $$;
comment on function postrider.token_audited() is 'for the triggers of token: made and revoked';

create or replace function postrider.console_link_audited() returns trigger language plpgsql as $$
begin
    perform postrider.audit_append(0, 'console_link', null, 'console_link:' || new.link_id,
        json_build_object('user', new.user_id, 'role', new.role, 'expires_at', postrider.iso(new.expires_at)));
    return null;
end $$;
comment on function postrider.console_link_audited() is 'for the trigger of console_link: made';

create or replace function postrider.console_session_audited() returns trigger language plpgsql as $$
begin
    perform postrider.audit_append(0, case tg_op when 'INSERT' then 'console_login' else 'console_revoke' end, null,
        'console:' || new.session_id, json_build_object('user', new.user_id, 'role', new.role));
    return null;
end $$;
comment on function postrider.console_session_audited() is 'for the triggers of console_session: opened, and revoked or left';

-- What ships with the product, and replaces what shipped before, no operator did.
create or replace function postrider.flow_audited() returns trigger language plpgsql as $$
declare
    act text;
    present postrider.flow;
begin
    if tg_op = 'DELETE' then
        act := 'flow_delete';
        present := old;
    elsif tg_op = 'INSERT' then
        act := case when new.origin = 'own' then 'flow_create' end;
        present := new;
    else
        present := new;
        act := case
            when old.archived_at is null and new.archived_at is not null then 'flow_archive'
            when old.archived_at is not null and new.archived_at is null then 'flow_unarchive'
            when old.draft_digest is not distinct from new.draft_digest then null
            when new.origin = 'shipped' and old.published_version is distinct from new.published_version then null
            else 'flow_draft' end;
    end if;
    if act is null then return null; end if;
    perform postrider.audit_append(0, act, null, 'flow:' || present.name, json_strip_nulls(json_build_object(
        'before', case when tg_op <> 'INSERT' then encode(old.draft_digest, 'hex') end,
        'after', case when tg_op <> 'DELETE' then encode(new.draft_digest, 'hex') end, 'published', present.published_version)));
    return null;
end $$;
comment on function postrider.flow_audited() is 'for the trigger of flow: made, its draft changed, archived, brought back, deleted; with digests of the draft';

create or replace function postrider.flow_version_audited() returns trigger language plpgsql as $$
begin
    perform postrider.audit_append(0, 'flow_publish', null,
        'flow:' || (select f.name from postrider.flow f where f.flow_id = new.flow_id), json_build_object(
        'before', (select max(v.version) from postrider.flow_version v where v.flow_id = new.flow_id and v.version < new.version),
        'after', new.version, 'digest', encode(new.digest, 'hex'), 'by', new.published_by));
    return null;
end $$;
comment on function postrider.flow_version_audited() is 'for the trigger of flow_version: published';

create or replace function postrider.schedule_line(of postrider.schedule) returns json language sql stable as $$
    select json_build_object('times', coalesce(of.cron, postrider.iso(of.at)), 'paused', of.paused_at is not null,
                             'input', case when of.kind <> 'reminder' then encode(sha256(convert_to(of.input::text, 'UTF8')), 'hex') end,
                             'lane', of.lane_key,
                             'timezone', of.timezone, 'missed', of.missed, 'overlap', of.overlap, 'time_limit_ms', of.time_limit_ms)
$$;
comment on function postrider.schedule_line(postrider.schedule) is 'for schedule_audited: what the audit tells of a schedule';

create or replace function postrider.schedule_audited() returns trigger language plpgsql as $$
declare
    act constant text := case tg_op when 'INSERT' then 'schedule_set' when 'DELETE' then 'schedule_remove' else 'schedule_change' end;
    present postrider.schedule;
begin
    if tg_op = 'DELETE' then present := old; else present := new; end if;
    -- Inputs may hold what people said: their digests tell a change. A reminder's text is so short that it could be guessed.
    perform postrider.audit_append(0, act, null, 'schedule:' || present.name, json_strip_nulls(json_build_object(
        'kind', present.kind,
        'input_changed', case when tg_op = 'UPDATE' and new.kind = 'reminder' and old.input is distinct from new.input then true end,
        'before', case when tg_op <> 'INSERT' then postrider.schedule_line(old) end,
        'after', case when tg_op <> 'DELETE' then postrider.schedule_line(new) end)));
    return null;
end $$;
comment on function postrider.schedule_audited() is 'for the triggers of schedule: set, changed, paused, removed; of reminders only what operators do';

create or replace function postrider.mcp_tool_audited() returns trigger language plpgsql as $$
begin
    perform postrider.audit_append(0, 'mcp_accept', null, 'mcp:' || new.server || '/' || new.tool,
        json_build_object('before', old.digest, 'after', new.digest));
    return null;
end $$;
comment on function postrider.mcp_tool_audited() is 'for the trigger of mcp_tool: a changed definition was accepted';

create or replace function postrider.pause_audited() returns trigger language plpgsql as $$
begin
    perform postrider.audit_append(0, case tg_op when 'INSERT' then 'pause' else 'resume' end, null,
        case tg_op when 'INSERT' then new.scope else old.scope end, json_build_object(
        'before', json_build_object('paused', tg_op = 'DELETE'), 'after', json_build_object('paused', tg_op = 'INSERT')));
    return null;
end $$;
comment on function postrider.pause_audited() is 'for the trigger of pause: a bot, or everything, is paused or goes on';

create or replace function postrider.spam_sample_audited() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' then
        perform postrider.audit_append(0, 'spam_train', null, 'spam_sample:' || new.sample_id,
            json_build_object('chat', new.chat_id, 'kind', new.kind, 'origin', new.origin), new.trained_by);
    else
        perform postrider.audit_append(0, 'spam_withdraw', null, 'spam_sample:' || new.sample_id,
            json_build_object('chat', new.chat_id, 'kind', new.kind), new.withdrawn_by);
    end if;
    return null;
end $$;
comment on function postrider.spam_sample_audited() is 'for the triggers of spam_sample: trained and withdrawn';

create or replace function postrider.spam_member_audited() returns trigger language plpgsql as $$
begin
    perform postrider.audit_append(0, 'spam_member', null, 'member:' || new.chat_id || '/' || new.user_id, json_build_object(
        'before', case when tg_op = 'UPDATE' then json_build_object('approved', old.approved_at is not null, 'banned', old.banned_at is not null) end,
        'after', json_build_object('approved', new.approved_at is not null, 'banned', new.banned_at is not null)),
        coalesce(new.banned_by, new.approved_by));
    return null;
end $$;
comment on function postrider.spam_member_audited() is 'for the triggers of spam_member: a person banned somebody, unbanned or approved them';

create or replace function postrider.document_audited() returns trigger language plpgsql as $$
begin
    perform postrider.audit_append(0, case when new.incoming = 1 then 'document_add' else 'document_replace' end, new.job_id,
        'document:' || new.document_id, json_strip_nulls(json_build_object(
            'collection', (select c.name from postrider.collection c where c.collection_id = new.collection_id),
            'digest', nullif(new.incoming_digest, ''), 'user', new.user_id, 'bot', new.bot_id)),
        'user:' || new.user_id);
    return null;
end $$;
comment on function postrider.document_audited() is 'for the trigger of document: added, or replaced';

create or replace function postrider.collection_audited() returns trigger language plpgsql as $$
begin
    if new.name = '-' then return null; end if; -- where removed documents wait
    perform postrider.audit_append(0, case tg_op when 'INSERT' then 'collection_create' else 'collection_change' end, null,
        'collection:' || new.name, json_strip_nulls(json_build_object('flows', new.flows, 'people', new.people)));
    return null;
end $$;
comment on function postrider.collection_audited() is 'for the triggers of collection: made and changed';

-- What belongs to no lane is written when its transaction commits: so the lock of that chain comes after all others, and a
-- transaction that somebody leaves open does not hold it. A constraint trigger cannot be replaced, and dropping one waits for all
-- that read its table: each is made once, and one that is to change takes another name. A schedule's runs change other columns than
-- these; the trigger schedule_changed (schedules.sql) is another one.
do $$
declare
    t record;
begin
    for t in select * from (values
        ('token_made_audited', 'token', 'insert', 'token_audited', 'true'),
        ('token_revoked_audited', 'token', 'update of revoked_at', 'token_audited',
         'old.revoked_at is null and new.revoked_at is not null'),
        ('console_link_audited', 'console_link', 'insert', 'console_link_audited', 'true'),
        ('console_opened_audited', 'console_session', 'insert', 'console_session_audited', 'true'),
        ('console_revoked_audited', 'console_session', 'update of revoked_at', 'console_session_audited',
         'old.revoked_at is null and new.revoked_at is not null'),
        ('flow_audited', 'flow', 'insert or delete or update of draft, archived_at', 'flow_audited', 'true'),
        ('flow_version_audited', 'flow_version', 'insert', 'flow_version_audited', $w$new.origin = 'own'$w$),
        ('schedule_made_audited', 'schedule', 'insert', 'schedule_audited', $w$new.kind <> 'reminder' or postrider.by_operator()$w$),
        ('schedule_dropped_audited', 'schedule', 'delete', 'schedule_audited', $w$old.kind <> 'reminder' or postrider.by_operator()$w$),
        ('schedule_altered_audited', 'schedule',
         'update of kind, input, lane_key, cron, at, timezone, missed, overlap, time_limit_ms, paused_at', 'schedule_audited',
         $w$(new.kind <> 'reminder' or postrider.by_operator()) and
            (old.kind, old.input, old.lane_key, old.cron, old.at, old.timezone, old.missed, old.overlap, old.time_limit_ms, old.paused_at)
            is distinct from
            (new.kind, new.input, new.lane_key, new.cron, new.at, new.timezone, new.missed, new.overlap, new.time_limit_ms, new.paused_at)$w$),
        ('mcp_tool_audited', 'mcp_tool', 'update of digest', 'mcp_tool_audited', 'old.digest is distinct from new.digest'),
        ('pause_audited', 'pause', 'insert or delete', 'pause_audited', 'true'),
        ('spam_trained_audited', 'spam_sample', 'insert', 'spam_sample_audited', 'true'),
        ('spam_withdrawn_audited', 'spam_sample', 'update of withdrawn_at', 'spam_sample_audited',
         'old.withdrawn_at is null and new.withdrawn_at is not null'),
        ('spam_member_made_audited', 'spam_member', 'insert', 'spam_member_audited',
         $w$coalesce(new.banned_by, 'filter') <> 'filter' or coalesce(new.approved_by, 'messages') <> 'messages'$w$),
        ('spam_member_changed_audited', 'spam_member', 'update of banned_at, approved_at', 'spam_member_audited',
         $w$(old.banned_at, old.approved_at) is distinct from (new.banned_at, new.approved_at) and
            (coalesce(new.banned_by, 'filter') <> 'filter' or coalesce(new.approved_by, 'messages') <> 'messages')$w$),
        ('collection_made_audited', 'collection', 'insert', 'collection_audited', 'true'),
        ('collection_changed_audited', 'collection', 'update of description, flows, people', 'collection_audited', 'true'),
        ('document_begun_audited', 'document', 'update of incoming', 'document_audited', 'old.incoming <> new.incoming')
    ) as v(name, changed, event, calls, condition)
    loop
        continue when exists (select from pg_trigger g
                              where g.tgrelid = ('postrider.' || t.changed)::regclass and g.tgname = t.name and g.tgdeferrable);
        if exists (select from pg_trigger g where g.tgrelid = ('postrider.' || t.changed)::regclass and g.tgname = t.name) then
            execute format('drop trigger %I on postrider.%I', t.name, t.changed);
        end if;
        execute format('create constraint trigger %I after %s on postrider.%I deferrable initially deferred '
                       'for each row when (%s) execute function postrider.%I()', t.name, t.event, t.changed, t.condition, t.calls);
    end loop;
end $$;
