-- What flows keep between executions: tables of keys and values, for each flow its own.

create table postrider.flow_data (
    flow       text not null check (char_length(flow) between 1 and 63),
    name       text not null check (char_length(name) between 1 and 63),
    key        text not null check (char_length(key) between 1 and 200),
    value      jsonb not null,
    bytes      int not null,
    user_id    bigint,
    changed_at timestamptz not null,
    expires_at timestamptz,
    primary key (flow, name, key)
);
create index flow_data_expired on postrider.flow_data (expires_at) where expires_at is not null;
create index flow_data_of_person on postrider.flow_data (user_id) where user_id is not null;
comment on table postrider.flow_data is 'rows of the data tables of flows; written by data.put and data.delete, in the commit of their step';
comment on column postrider.flow_data.flow is 'the flow whose node wrote it; other flows do not see it';
comment on column postrider.flow_data.name is 'of the table within the flow';
comment on column postrider.flow_data.bytes is 'of the value as JSON, and of the key: tables are bounded by their sum';
comment on column postrider.flow_data.user_id is 'whose message started the execution that wrote it last: postrider erase deletes these; null = nobody''s';
comment on column postrider.flow_data.expires_at is 'from then on nobody reads it, and the maintenance deletes it; null = it stays';
