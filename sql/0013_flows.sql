-- Flows: what agents are made of, as data. A draft that people edit, and versions that never change.
--
-- A job pins the flow and the version it started with ("input" names both), so publishing changes nothing that
-- runs. Whoever publishes or archives, by whatever way, every node hears of it.

create function postrider.digest(document json) returns bytea language sql immutable parallel safe as
$$ select sha256(convert_to(document::text, 'UTF8')) $$;
comment on function postrider.digest(json) is 'SHA-256 of the document''s text: two documents with the same digest are the same';

create table postrider.flow (
    flow_id           bigint generated always as identity primary key,
    draft_revision    bigint not null default 1,
    created_at        timestamptz not null default postrider.now(),
    updated_at        timestamptz not null default postrider.now(),
    archived_at       timestamptz,
    published_version int,
    name              text not null unique check (name ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    origin            text not null default 'own' check (origin in ('shipped', 'own')),
    draft             json not null check (json_typeof(draft) = 'object' and length(draft ->> 'description') <= 4000),
    draft_digest      bytea not null generated always as (postrider.digest(draft)) stored
);
comment on table postrider.flow is 'a flow by its name: the draft that is edited, and which version is published';
comment on column postrider.flow.draft_revision is 'ascends with every change of the draft: who saves says which one they changed';
comment on column postrider.flow.updated_at is 'the last change of the draft or of what is published';
comment on column postrider.flow.archived_at is 'since then nothing starts it; what runs goes on';
comment on column postrider.flow.published_version is 'what starts from now on; null = nothing yet';
comment on column postrider.flow.origin is
    'shipped = what is published came with the product, and a newer product may replace it; own = a person published it';
comment on column postrider.flow.draft is 'as it was given, the order of members included';

create table postrider.flow_version (
    flow_id      bigint not null references postrider.flow on delete cascade,
    published_at timestamptz not null default postrider.now(),
    version      int not null check (version > 0),
    published_by text not null default '' check (length(published_by) <= 100),
    note         text not null default '' check (length(note) <= 1000),
    origin       text not null default 'own' check (origin in ('shipped', 'own')),
    document     json not null,
    digest       bytea not null generated always as (postrider.digest(document)) stored,
    primary key (flow_id, version)
);
comment on table postrider.flow_version is 'what was published, for ever: executions run the version that they started with';
comment on column postrider.flow_version.published_by is 'owner, token:ID, cli or shipped';
comment on column postrider.flow_version.note is 'for people: what is new';

alter table postrider.flow add constraint flow_published
    foreign key (flow_id, published_version) references postrider.flow_version;

-- A version goes only with its flow.
create function postrider.flow_version_stays() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' and not exists (select from postrider.flow f where f.flow_id = old.flow_id) then
        return old;
    end if;
    raise exception 'a published version of a flow never changes' using errcode = 'object_not_in_prerequisite_state';
end $$;
comment on function postrider.flow_version_stays() is 'refuses to change or remove a published version';
create trigger flow_version_stays before update or delete on postrider.flow_version
    for each row execute function postrider.flow_version_stays();

create function postrider.flows_changed() returns trigger language plpgsql as $$
begin
    perform pg_notify('postrider', 'flows');
    return null;
end $$;
comment on function postrider.flows_changed() is 'tells every node that other flows may start from now on';
create trigger flows_changed after delete or update of published_version, archived_at on postrider.flow
    for each statement execute function postrider.flows_changed();

create view postrider.flows as
select f.flow_id, f.name, coalesce(f.draft ->> 'description', '') as description, f.origin, f.published_version,
       v.published_at, v.published_by, f.draft_digest is distinct from v.digest as changed, f.draft_revision,
       f.created_at, f.updated_at, f.archived_at
from postrider.flow f
left join postrider.flow_version v on v.flow_id = f.flow_id and v.version = f.published_version;
comment on view postrider.flows is 'flows as people look at them';
comment on column postrider.flows.changed is 'the draft is not what is published';

select postrider.grant_reader();
