-- Reads a job as a run would have it, for a replay.
--
-- $1: the job
-- returns: the job (parts/begun_job.sql)
select {{begun_job}} from postrider.job j where j.job_id = $1::bigint
