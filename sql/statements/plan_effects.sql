-- Commits the intents of effects. A commit whose answer was lost is sent again: the rows may stand already.
--
-- $1: a row for each effect
-- returns: nothing
-- order: 72
insert into postrider.effect (job_id, key, kind, class, state, request)
select job_id, key, kind, class, state, request
from json_to_recordset($1::json) as t(i int, job_id bigint, key text, kind text, class text, state text, request jsonb)
on conflict do nothing
