-- What a statement that begins a run returns of `postrider.job j`, for read_job() (queue/store/sql.hpp).
--
-- A first run is told by the row and never by which of two times is later, since clocks step back: the statement that begins it
-- is the one that writes started_at, so there this is the statement's own time.
j.job_id, j.lane_id, j.conversation_id, j.arrival, j.run_no, j.lost, j.kind, j.input, j.code_version, j.restarts, j.asked,
              j.rolling_back, (extract(epoch from j.deadline_at - postrider.now()) * 1000)::bigint as time_left,
              (j.run_no > 1 or j.lost > 0 or j.restarts > 0 or j.forked_from is not null
                   or coalesce(j.started_at <> postrider.now(), false)) as begun_before,
              (extract(epoch from postrider.now() - j.created_at) * 1000)::bigint as age
