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
    seal    bytea not null
);
comment on table postrider.audit_end is
    'the newest row of the chain of lane 0, written with that row by audit_append(); checked by audit_tails()';
comment on column postrider.audit_end.number is 'its number; 0 = the chain is empty';
comment on column postrider.audit_end.hash is 'its hash';
comment on column postrider.audit_end.seal is 'audit_seal() of number and hash: made with audit.key where that is set; docs/security.md says what it proves';
-- As audit_seal() has it, which is not there yet.
insert into postrider.audit_end (lane_id, number, hash, seal)
select 0, e.number, e.hash,
       case when k.key is null then sha256(e.line) else sha256(substr(k.key, 65) || sha256(substr(k.key, 1, 64) || e.line)) end
from (select coalesce(a.number, 0) as number, a.hash,
             coalesce(a.hash, ''::bytea) || convert_to(json_build_array('end', coalesce(a.number, 0))::text, 'UTF8') as line
      from (values (0::bigint)) n(lane_id)
      left join lateral (select a.number, a.hash from postrider.audit a where a.lane_id = n.lane_id order by a.number desc limit 1) a on true) e
cross join (select decode(nullif(current_setting('postrider.audit_key', true), ''), 'hex') as key) k;
