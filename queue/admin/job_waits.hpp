#pragma once
// What a job waited for, and what ended each wait, read from the view job_waits: also when the job is
// over. Read-only, inside an open transaction.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace postrider::queue {

struct job_wait {
    // lane, start, retry, breaker, limit, approval, person, event, sleep, schedule, pause
    std::string cause;
    std::string reason;                  // what it waited for, in words
    std::string since;                   // ISO 8601 in UTC
    std::string until;                   // empty: it waits still
    std::chrono::microseconds begins{0}; // after the job's creation
    std::chrono::microseconds took{0};   // until its end, or now
    std::string ended_by;
};

// In the order in which they began.
std::vector<job_wait> list_job_waits(storage::transaction& tx, job_id job);

} // namespace postrider::queue
