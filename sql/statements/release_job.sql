-- Puts back the job of a lane whose lease is given up before it began.
--
-- $1: the lane
-- $2: its head
-- returns: nothing
update postrider.job set state = 'available'
where lane_id = $1::bigint and job_id >= $2::bigint and state = 'running'
