-- What retention remembers: who does it, and which partitions are about to go.

create table postrider.duty (
    name text primary key
);
insert into postrider.duty values ('retention');
comment on table postrider.duty is 'what one node at a time does: who locks the row does it';

create table postrider.retiring (
    part       bigint primary key,
    watched_at timestamptz not null default postrider.now(),
    later_at   timestamptz not null default postrider.now(),
    listed     boolean not null default false
);
comment on table postrider.retiring is 'partitions that are about to be dropped';
comment on column postrider.retiring.part is 'its first job id';
comment on column postrider.retiring.listed is 'its live jobs stand in straggler; those that come to life since are added by a trigger';
comment on column postrider.retiring.later_at is 'not tried before';

create table postrider.straggler (
    part   bigint not null,
    job_id bigint not null
) with (vacuum_truncate = off);
comment on table postrider.straggler is 'jobs of a retiring partition that may have to stay';
