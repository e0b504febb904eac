-- A number of a version is never another document's, not even after its flow was deleted.
--
-- What is pinned is a name and a number: by a job's input, and within the record of a job that called a flow.

create table postrider.flow_gone (
    name         text primary key,
    last_version int not null
);
comment on table postrider.flow_gone is 'names of deleted flows: a flow that takes such a name goes on counting its versions where the last one ended';

create function postrider.flow_goes() returns trigger language plpgsql as $$
begin
    insert into postrider.flow_gone as g (name, last_version)
    select old.name, max(v.version) from postrider.flow_version v where v.flow_id = old.flow_id having count(*) > 0
    on conflict (name) do update set last_version = greatest(g.last_version, excluded.last_version);
    return old;
end $$;
comment on function postrider.flow_goes() is 'keeps the number of a deleted flow''s last version';
create trigger flow_goes before delete on postrider.flow for each row execute function postrider.flow_goes();

create function postrider.next_version(flow postrider.flow) returns int language sql stable as $$
    select 1 + greatest(0, (select max(v.version) from postrider.flow_version v where v.flow_id = flow.flow_id),
                        (select g.last_version from postrider.flow_gone g where g.name = flow.name))
$$;
comment on function postrider.next_version(postrider.flow) is 'what publishing makes, while the flow''s row is locked';

select postrider.grant_reader();
