#pragma once
// Small helpers of the engine's SQL files.
#include "queue/job.hpp"
#include "storage/database.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <string>

namespace postrider::queue {

// The value as Postgres can store it: jsonb and text have no U+0000, and nothing that is not UTF-8,
// so these become U+FFFD.
boost::json::value storable(boost::json::value value);
std::string storable(std::string text);

// The stored JSON. Where it cannot be read it is null, and `problem` tells so of `part`.
boost::json::value readable_json(
    storage::row const& from, std::size_t column, std::string_view part, std::string& problem
);

// What a statement that begins a run returns of `postrider.job j`, for read_job(). A first run is
// told by the row and never by which of two times is later, since clocks step back: the statement
// that begins it is the one that writes started_at, so there this is the statement's own time.
#define POSTRIDER_JOB_COLUMNS                                                                      \
    "j.job_id, j.lane_id, j.conversation_id, j.arrival, j.run_no, j.lost, j.kind, j.input, "       \
    "j.code_version, j.restarts, j.asked, j.rolling_back, "                                        \
    "(extract(epoch from j.deadline_at - postrider.now()) * 1000)::bigint as time_left, "          \
    "(j.run_no > 1 or j.lost > 0 or j.restarts > 0 or j.forked_from is not null or "               \
    "coalesce(j.started_at <> postrider.now(), false)) as begun_before, "                          \
    "(extract(epoch from postrider.now() - j.created_at) * 1000)::bigint as age"

// What a lane's row says while the lane has no work; postrider.idle_lanes() sets the same.
#define POSTRIDER_IDLE_LANE                                                                        \
    "ready_at = null, node_id = null, head = null, arrivals = 0, edits = 0, priority = 3, "        \
    "suspect = 0, wants_mail = false, asked = null, wait_reason = null, quiet_until = null, "      \
    "left_by = null"

// Reads these columns from `first` on. Never fails for what others wrote: the rows of several jobs
// are read together. See job::unreadable.
queue::job read_job(storage::row const& returned, std::size_t first);

} // namespace postrider::queue
