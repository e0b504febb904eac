-- The live jobs of a lane, as `j`, in a statement that knows which partitions may hold them: $2 and $3 are the least and the
-- greatest id. `w` has the lane's lane_id and head. The first of them by id runs next.
--
-- postrider.first_live_job() asks the same without a range. It is not called here: with a range it was inlined, and other
-- statements then searched all partitions. A test compares the two.
j.lane_id = w.lane_id and j.job_id between $2::bigint and $3::bigint and j.job_id >= w.head and postrider.is_live(j.state)
