-- Brings lanes in line with what is paused (postrider.sweep_pauses).
--
-- $1: one row
-- returns: i, how many lanes it changed, a digest of what is paused
-- order: 0
select t.i, s.changed, s.pauses
from json_to_recordset($1::json) as t(i int, most int, known text)
cross join lateral postrider.sweep_pauses(t.most, t.known) s
