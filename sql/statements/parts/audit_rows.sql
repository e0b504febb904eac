-- What record_audit and record_audit_once begin with: the rows, each with the end of its lane's chain, `l`. The condition follows
-- that says of which rows none is there yet. Rows of one lane follow each other in the order of their nonces.
with recursive w as materialized (
    select t.*, l.hash as previous,
           coalesce(l.number, 0) + row_number() over (partition by t.lane_id order by t.nonce) as number,
           row_number() over (partition by t.lane_id order by t.nonce) as n
    from (select r.*, max(r.nonce) over (partition by r.lane_id) as newest
          from json_to_recordset($1::json) as r(i int, lane_id bigint, job_id bigint, nonce bigint, kind text, actor text,
                                                  subject text, detail json, sha256 text, content text)) t
    left join lateral (select a.number, a.nonce, a.hash from postrider.audit a
                       where a.lane_id = t.lane_id order by a.number desc limit 1) l on true
