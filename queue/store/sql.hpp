#pragma once
// Small helpers of the engine's SQL files.
#include "queue/job.hpp"
#include "storage/database.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <string>

namespace postrider::queue {

// The stored JSON. Where it cannot be read it is null, and `problem` tells so of `part`.
boost::json::value readable_json(
    storage::row const& row, std::size_t column, std::string_view part, std::string& problem
);

// Reads what a statement that begins a run returns (sql/statements/parts/begun_job.sql), from column
// `first` on. Never fails for what others wrote: the rows of several jobs are read together. See
// job::unreadable.
queue::job read_job(storage::row const& returned, std::size_t first);

} // namespace postrider::queue
