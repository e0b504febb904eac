-- What a dead process was doing: the rescue that takes its jobs over notes it on their rows, which it writes anyway.
alter table postrider.job add column lost_attempts jsonb;
comment on column postrider.job.lost_attempts is
    'attempts whose process died, as the rescue found them: [{run, node_id, host, beat_at, lost_at}], the newest 20; view lost_attempts. null = none';
create index job_lost_attempts on postrider.job (job_id) where lost_attempts is not null;

-- The chain of no lane has no turns whose records say how long it must be: its end is noted with each row. Its row is
-- made here alone, so one that is missing was deleted.
create table postrider.audit_end (
    lane_id bigint primary key,
    number  bigint not null,
    hash    bytea,
    seal    bytea
);
comment on table postrider.audit_end is
    'the newest row of the chain of lane 0, written with that row by audit_append(); checked by audit_tails()';
comment on column postrider.audit_end.number is 'its number; 0 = the chain is empty';
comment on column postrider.audit_end.hash is 'its hash';
comment on column postrider.audit_end.seal is 'audit_seal() of number and hash: made with audit.key where that is set, so it cannot be set back without the key';
insert into postrider.audit_end (lane_id, number, hash)
select n.lane_id, coalesce(a.number, 0), a.hash
from (values (0::bigint)) n(lane_id)
left join lateral (select a.number, a.hash from postrider.audit a where a.lane_id = n.lane_id order by a.number desc limit 1) a on true;
