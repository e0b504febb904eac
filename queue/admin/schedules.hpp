#pragma once
// The schedules' table: jobs that recur by a cron expression, or run once at a time. The scheduler
// of every node looks at it (queue/node/scheduler.hpp); these functions, like plain SQL, only write
// it.
//
// All of them run inside the caller's transaction, on its thread.
#include "base/ids.hpp"
#include "queue/schedule_plan.hpp"
#include "storage/database.hpp"

#include <boost/json/value.hpp>

namespace postrider::queue {

// What happens when its last job is not over.
enum class overlap_policy {
    queue, // the next one waits behind it in the lane
    skip,  // that run is left out
};
std::string_view to_string(overlap_policy p) noexcept;
std::optional<overlap_policy> overlap_policy_from_string(std::string_view name) noexcept;

struct schedule {
    std::string name; // unique
    std::string kind;
    boost::json::value input;
    std::optional<std::string> lane_key; // absent: a lane of its own, schedule:NAME
    queue::recurrence recurrence;        // cron or at, not both
    missed_policy missed = missed_policy::once;
    overlap_policy overlap = overlap_policy::queue;
    std::optional<std::chrono::milliseconds> deadline = {}; // of each job, from its time on

    // Written by the scheduler.
    std::optional<base::sys_time> next_at; // absent: not computed yet, or never again
    bool ended = false;                    // never again
    std::optional<base::sys_time> last_at;
    std::optional<job_id> last_job;
    std::int64_t runs = 0;
    std::optional<base::sys_time> paused_at;
    std::string error;     // why it does not run
    std::string lane_name; // lane_key in words; only read
};

// Adds it, or changes the one with its name; one whose times are changed is computed anew. invalid,
// not_found: the definition is wrong (see plan_schedule), or the lane does not exist; conflict: with
// `only_new`, there is one of its name. Nothing is written then.
base::result<void> put_schedule(
    storage::transaction& tx, schedule const& schedule, bool only_new = false
);

// False when there is none of that name. Jobs it has made stay.
bool remove_schedule(storage::transaction& tx, std::string const& name);
// What it would have run while paused is not made up for.
bool pause_schedule(storage::transaction& tx, std::string const& name);
bool resume_schedule(storage::transaction& tx, std::string const& name);

std::optional<schedule> find_schedule(storage::transaction& tx, std::string const& name);
// The same; nobody else changes it before the transaction ends.
std::optional<schedule> lock_schedule(storage::transaction& tx, std::string const& name);
std::vector<schedule> list_schedules(storage::transaction& tx); // by name
// A page: those behind `after`, of one kind of jobs where it is named.
std::vector<schedule> list_schedules(
    storage::transaction& tx,
    std::optional<std::string> const& kind,
    std::string_view after,
    int limit
);

} // namespace postrider::queue
