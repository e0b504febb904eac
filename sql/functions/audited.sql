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
        else coalesce(nullif(current_setting('postrider.actor', true), ''), 'postrider') end;
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
create or replace trigger token_made_audited after insert on postrider.token for each row execute function postrider.token_audited();
create or replace trigger token_revoked_audited after update of revoked_at on postrider.token
    for each row when (old.revoked_at is null and new.revoked_at is not null) execute function postrider.token_audited();

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
create or replace trigger flow_audited after insert or delete or update of draft, archived_at on postrider.flow
    for each row execute function postrider.flow_audited();

create or replace function postrider.flow_version_audited() returns trigger language plpgsql as $$
begin
    perform postrider.audit_append(0, 'flow_publish', null,
        'flow:' || (select f.name from postrider.flow f where f.flow_id = new.flow_id), json_build_object(
        'before', (select max(v.version) from postrider.flow_version v where v.flow_id = new.flow_id and v.version < new.version),
        'after', new.version, 'digest', encode(new.digest, 'hex'), 'by', new.published_by));
    return null;
end $$;
comment on function postrider.flow_version_audited() is 'for the trigger of flow_version: published';
create or replace trigger flow_version_audited after insert on postrider.flow_version
    for each row when (new.origin = 'own') execute function postrider.flow_version_audited();

create or replace function postrider.schedule_audited() returns trigger language plpgsql as $$
declare
    act constant text := case tg_op when 'INSERT' then 'schedule_set' when 'DELETE' then 'schedule_remove' else 'schedule_change' end;
    present postrider.schedule;
begin
    if tg_op = 'DELETE' then present := old; else present := new; end if;
    perform postrider.audit_append(0, act, null, 'schedule:' || present.name, json_strip_nulls(json_build_object(
        'kind', present.kind,
        'before', case when tg_op <> 'INSERT' then json_build_object('times', coalesce(old.cron, postrider.iso(old.at)), 'paused', old.paused_at is not null) end,
        'after', case when tg_op <> 'DELETE' then json_build_object('times', coalesce(new.cron, postrider.iso(new.at)), 'paused', new.paused_at is not null) end)));
    return null;
end $$;
comment on function postrider.schedule_audited() is 'for the triggers of schedule: set, changed, paused, removed; reminders of people are no operator''s';
create or replace trigger schedule_set_audited after insert on postrider.schedule
    for each row when (new.kind <> 'reminder') execute function postrider.schedule_audited();
create or replace trigger schedule_removed_audited after delete on postrider.schedule
    for each row when (old.kind <> 'reminder') execute function postrider.schedule_audited();
-- Not its runs, which change other columns. The trigger schedule_changed (schedules.sql) is another one.
create or replace trigger schedule_changed_audited
    after update of kind, input, lane_key, cron, at, timezone, missed, overlap, time_limit_ms, paused_at on postrider.schedule
    for each row when (new.kind <> 'reminder' and
        (old.kind, old.input, old.lane_key, old.cron, old.at, old.timezone, old.missed, old.overlap, old.time_limit_ms, old.paused_at)
        is distinct from
        (new.kind, new.input, new.lane_key, new.cron, new.at, new.timezone, new.missed, new.overlap, new.time_limit_ms, new.paused_at))
    execute function postrider.schedule_audited();

create or replace function postrider.mcp_tool_audited() returns trigger language plpgsql as $$
begin
    perform postrider.audit_append(0, 'mcp_accept', null, 'mcp:' || new.server || '/' || new.tool,
        json_build_object('before', old.digest, 'after', new.digest));
    return null;
end $$;
comment on function postrider.mcp_tool_audited() is 'for the trigger of mcp_tool: a changed definition was accepted';
create or replace trigger mcp_tool_audited after update of digest on postrider.mcp_tool
    for each row when (old.digest is distinct from new.digest) execute function postrider.mcp_tool_audited();
