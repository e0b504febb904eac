-- Files that items of an execution refer to: an item holds the reference, and never the bytes.

create table postrider.flow_file (
    file_id    text primary key check (char_length(file_id) between 1 and 40),
    job_id     bigint not null,
    name       text not null,
    mime       text not null,
    content    bytea not null,
    user_id    bigint,
    created_at timestamptz not null,
    expires_at timestamptz not null
);
create index flow_file_expired on postrider.flow_file (expires_at);
create index flow_file_of_person on postrider.flow_file (user_id) where user_id is not null;
comment on table postrider.flow_file is 'files that nodes of an execution received; written in the commit of their step';
comment on column postrider.flow_file.job_id is 'the execution: no other one reads it';
comment on column postrider.flow_file.user_id is 'whose message started the execution: postrider erase deletes these; null = nobody''s';
comment on column postrider.flow_file.expires_at is 'from then on nobody reads it, and the maintenance deletes it';
