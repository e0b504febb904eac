#pragma once
// Small helpers of the engine's SQL files.
#include "queue/job.hpp"
#include "storage/database.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <string>

namespace postrider::queue {

// The value as Postgres can store it: jsonb and text have no U+0000, so it becomes U+FFFD.
boost::json::value storable(boost::json::value value);
std::string storable(std::string text);

// Reads the columns job_id, lane_id, conversation_id, arrival, run_no, lost, kind, input from
// `first` on.
queue::job read_job(storage::row const& returned, std::size_t first);

} // namespace postrider::queue
