#pragma once
// Jobs for later, inside somebody else's transaction: delayed, unique, debounced.
//
// Such a job is `scheduled`: its row is there, its lane does not count it and is not held up by it.
// The scheduler of any node admits it when it is due. One that is due sooner than the next poll, and
// was told to no engine, is admitted by that poll: within a second, or five on an idle node. The
// statement has order 31 among a batch's statements and locks no lane.
#include "base/ids.hpp"
#include "queue/job.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <variant>

namespace postrider::queue {

// At most one live job has the key, over all lanes. Without a debounce an arrival finds that job
// and changes nothing. With one, every arrival gives the job that has not begun its own input and
// puts it off until the arrivals have been quiet for so long; longest_wait bounds the whole wait
// from the first. A job that has begun is followed by another.
struct unique_job {
    std::string key; // 1 to 500 bytes
    std::optional<std::chrono::milliseconds> debounce;
    std::optional<std::chrono::milliseconds> longest_wait; // of a debounce; absent = no bound
};

struct later_job {
    lane_id lane{};
    std::string kind;
    boost::json::value input;
    // From now, by the database's clock, or an instant; a debounce takes the place of both.
    std::variant<std::chrono::milliseconds, base::sys_time> due = std::chrono::milliseconds{0};
    std::optional<unique_job> unique;
    int priority = 2;                                       // see job.priority
    std::optional<std::chrono::milliseconds> deadline = {}; // for the whole job, once it is due
    std::string lane_key = {}; // in place of lane; that lane stands there by then
    // Of what follows a job's end, in its commit: made only while that job runs, so that a commit
    // which is sent again, as its answer was lost, makes it once.
    std::optional<job_id> while_running = {};
};

struct later_enqueued {
    job_id id{};
    bool created = false; // false: a job with this key was there
    base::sys_time due;
};

// The row to write; its unit gets one row back, or none when the lane does not exist or the job that
// it goes by is over.
storage::write enqueue_later(later_job const& job);
later_enqueued read_later(storage::row const& returned);

// The same inside an open transaction. Throws storage::database_error when the lane does not exist.
later_enqueued enqueue_later(storage::transaction& tx, later_job const& job);

} // namespace postrider::queue
