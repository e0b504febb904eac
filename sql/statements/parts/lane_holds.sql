-- Whether the lane of lane_run's row `r` is held, for a worker that leaves it. What was asked of the job may stand in
-- lane_run.asked where the request to hold the lane would: so where anything is asked, the pauses themselves are looked at.
-- Where nothing is, as in a plain turn, nobody looks.
coalesce(r.asked = 'hold' or r.asked is not null and postrider.lane_held(r.lane_id), false)
