-- Flows. Every node hears of a publication or an archiving, made in whatever way; a published version never
-- changes, and its number is never another document's.

-- A version goes only with its flow.
create or replace function postrider.flow_version_stays() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' and not exists (select from postrider.flow f where f.flow_id = old.flow_id) then
        return old;
    end if;
    raise exception 'a published version of a flow never changes' using errcode = 'object_not_in_prerequisite_state';
end $$;
comment on function postrider.flow_version_stays() is 'refuses to change or remove a published version';
create or replace trigger flow_version_stays before update or delete on postrider.flow_version
    for each row execute function postrider.flow_version_stays();

create or replace function postrider.flows_changed() returns trigger language plpgsql as $$
begin
    perform pg_notify('postrider', 'flows');
    return null;
end $$;
comment on function postrider.flows_changed() is 'tells every node that other flows may start from now on';
create or replace trigger flows_changed after delete or update of published_version, archived_at on postrider.flow
    for each statement execute function postrider.flows_changed();

create or replace function postrider.flow_changes() returns trigger language plpgsql as $$
begin
    new.changed_in := pg_current_xact_id();
    return new;
end $$;
comment on function postrider.flow_changes() is 'for the trigger of flow: what of it starts changes';
create or replace trigger flow_changes before update of published_version, archived_at on postrider.flow
    for each row execute function postrider.flow_changes();

create or replace function postrider.flow_goes() returns trigger language plpgsql as $$
begin
    insert into postrider.flow_gone as g (name, last_version)
    select old.name, max(v.version) from postrider.flow_version v where v.flow_id = old.flow_id having count(*) > 0
    on conflict (name) do update
    set last_version = greatest(g.last_version, excluded.last_version), changed_in = pg_current_xact_id();
    -- In the order in which a worker's commit locks them (docs/states.md).
    delete from postrider.seen_item s where s.flow = old.name and (s.flow, s.node, s.digest) in (
        select x.flow, x.node, x.digest from postrider.seen_item x where x.flow = old.name
        order by x.flow, x.node, x.digest for update);
    delete from postrider.flow_data d where d.flow = old.name and (d.flow, d.name, d.key) in (
        select x.flow, x.name, x.key from postrider.flow_data x where x.flow = old.name
        order by x.flow, x.name, x.key for update);
    return old;
end $$;
comment on function postrider.flow_goes() is
    'keeps the number of a deleted flow''s last version, and deletes its data tables and what its nodes have seen';
create or replace trigger flow_goes before delete on postrider.flow for each row execute function postrider.flow_goes();

create or replace function postrider.next_version(flow postrider.flow) returns int language sql stable as $$
    select 1 + greatest(0, (select max(v.version) from postrider.flow_version v where v.flow_id = flow.flow_id),
                        (select g.last_version from postrider.flow_gone g where g.name = flow.name))
$$;
comment on function postrider.next_version(postrider.flow) is 'what publishing makes, while the flow''s row is locked';
