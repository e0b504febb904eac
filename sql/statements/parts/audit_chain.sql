-- What record_audit and record_audit_once end with: each row is linked to the one before it, and stored. Mostly it is one, and what is
-- joined below is empty.
lines as materialized (
    select w.*, postrider.audit_line(w.lane_id, w.number, w.job_id, w.nonce, postrider.now(), w.kind, w.actor, w.subject,
                                     w.detail, decode(w.sha256, 'hex')) as line
    from w
), later as materialized (
    select * from lines where n > 1
), chain as (
    select lines.*, postrider.audit_link(lines.previous, lines.line) as hash from lines where lines.n = 1
    union all
    select later.*, postrider.audit_link(chain.hash, later.line)
    from chain join later on later.lane_id = chain.lane_id and later.n = chain.n + 1
), kept as (
    insert into postrider.audit_content (lane_id, number, created_at, content)
    select lane_id, number, postrider.now(), content from chain where content is not null
)
insert into postrider.audit (lane_id, number, job_id, nonce, created_at, kind, actor, subject, detail, content_hash, hash)
select lane_id, number, job_id, nonce, postrider.now(), kind, actor, subject, detail, decode(sha256, 'hex'), hash from chain
