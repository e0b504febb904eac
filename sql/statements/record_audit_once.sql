-- Adds rows to the audit's chains, like record_audit, where a commit is sent again.
--
-- What stands already is among the lane's newest: a commit that is sent again is the run's next, and beside it only operators write
-- there.
--
-- $1: a row for each row of the audit
-- returns: nothing
-- order: 69
{{audit_rows}}
    where not exists (select from postrider.audit a
                      where a.lane_id = t.lane_id and a.number > l.number - 1000 and a.nonce = t.nonce)
), {{audit_chain}}
