-- Adds rows to the audit's chains, like record_audit, that stand alone in their lanes' commits and have no contents: most of them.
-- A second row of a lane would be refused for its number.
--
-- $1: a row for each row of the audit
-- returns: nothing
-- order: 69
insert into postrider.audit (lane_id, number, job_id, nonce, created_at, kind, actor, subject, detail, content_hash, hash)
select lane_id, number, job_id, nonce, moment, kind, actor, subject, detail, content_hash,
       postrider.audit_link(previous, postrider.audit_line(
           lane_id, number, job_id, nonce, moment, kind, actor, subject, detail, content_hash))
from (
    select t.*, decode(t.sha256, 'hex') as content_hash, postrider.now() as moment, l.hash as previous,
           coalesce(l.number, 0) + 1 as number
    from json_to_recordset($1::json) as t(i int, lane_id bigint, job_id bigint, nonce bigint, kind text, actor text,
                                            subject text, detail json, sha256 text)
    left join lateral (select a.number, a.nonce, a.hash from postrider.audit a
                       where a.lane_id = t.lane_id order by a.number desc limit 1) l on true
    where l.nonce is distinct from t.nonce
    offset 0
) w
