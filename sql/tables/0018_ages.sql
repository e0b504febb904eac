-- Retention looks for what is oldest. A block range's minimum never rises when rows go, so that BRIN, in time, pointed
-- at every range; a btree points at the oldest rows.

drop index postrider.message_age;
create index message_age on postrider.message (created_at);

drop index postrider.session_message_age;
create index session_message_age on postrider.session_message (created_at);

drop index postrider.audit_content_time;
create index audit_content_time on postrider.audit_content (created_at);
