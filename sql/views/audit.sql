-- The audit, for people.

create view postrider.audit_log as
select a.created_at, l.lane_key, a.lane_id, a.number, a.job_id, a.kind, a.actor, a.subject, a.detail,
       encode(a.content_hash, 'hex') as content_hash, encode(a.hash, 'hex') as hash, postrider.lane_name(l.lane_key) as lane_name
from postrider.audit a left join postrider.lane l using (lane_id);
comment on view postrider.audit_log is 'the audit log: actions, their actors and the keys of their lanes. Newest first: order by created_at desc. audit_verify() checks the chains';
comment on column postrider.audit_log.lane_key is 'null = the entry belongs to no lane, or the lane was deleted';
