-- Adds rows to the audit's chains. postrider.audit_append() writes the same for one row.
--
-- A connection that was taken for dead may run its commit after the one that was sent in its place: the lane's last row is then the
-- last of its own.
--
-- $1: a row for each row of the audit
-- returns: nothing
-- order: 69
{{audit_rows}}
    where l.nonce is distinct from t.newest
), {{audit_chain}}
