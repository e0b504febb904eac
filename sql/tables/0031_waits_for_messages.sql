-- Whether a message of the lane ends a wait stands with the wait: the lane's row forgets it when another job runs meanwhile.

alter table postrider.wait add column hears boolean not null default false;
comment on column postrider.wait.hears is 'a message of its lane may end it, so an arrival makes the lane ready';

-- The waits of jobs that are parked now: their lanes' rows still know.
update postrider.wait w set hears = true from postrider.lane_run r
where r.lane_id = w.lane_id and r.head = w.job_id and r.wants_mail;
