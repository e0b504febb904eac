#pragma once
// The state of the whole installation in a few numbers: jobs by state, the oldest wait, rates, what
// waits for people, and the nodes. Reading costs the same however many jobs there are: counts stop at
// 10,000, and where there are more jobs than are read, their numbers are estimates, and say so.
// Inside an open transaction; throws as transaction::query() does.
#include "server/views/exception_counts.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace postrider::server {

// Jobs that ended within a time, counted back from now.
struct ended_jobs {
    std::int64_t finished = 0; // completed, failed and cancelled
    std::int64_t failed = 0;
};

struct overview {
    std::string time;                         // of the database
    std::map<std::string, std::int64_t> jobs; // by state; every state is there
    bool total_is_estimate = false;           // of the jobs and the rates
    std::optional<std::int64_t> oldest_wait;  // ms that a ready lane has waited for a slot
    ended_jobs last_minute;
    ended_jobs last_hour;
    exception_counts exceptions;
    std::int64_t paused = 0; // everything, bots and lanes
    std::int64_t nodes = 0;  // alive
    std::int64_t slots = 0;  // of these
    std::int64_t running = 0;
};

overview read_overview(storage::transaction& tx);
boost::json::object overview_json(overview const& overview);

} // namespace postrider::server
