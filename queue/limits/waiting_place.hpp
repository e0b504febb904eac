#pragma once
// The place of a job that waits for a limit: it outlives the process that parked the job. Written in the
// commit that parks it, and removed in the one that follows its passing, or its giving up; the job keeps
// why and how long it waited.
#include "base/async.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::queue {

struct admission {
    std::chrono::milliseconds wait{0}; // 0 = go
    std::string reason = {};           // "bucket bot:main is empty"
    bool reserved = false; // after the wait the caller may go without asking for a token
    std::optional<std::chrono::sys_seconds> until = {}; // of a breaker: it is open as long

    bool go() const noexcept { return wait.count() <= 0; }
};

// Since when it waits and, if it has one, its own time.
struct waiting_place {
    std::chrono::milliseconds waited{0};
    std::chrono::milliseconds left{0}; // until its own time
    bool reserved = false;
    std::string until; // identifies it, in leave_place()
};

// None where the job has not waited for the resource. Fails as batcher::commit does.
base::awaitable<base::result<std::optional<waiting_place>>> find_place(
    storage::batcher& quick, job_id job, std::string_view resource, base::duration within
);

storage::write keep_place(
    job_id job, lane_id lane, std::string_view resource, admission const& until
);
// The commit may come long after the wait, which took `waited`.
storage::write leave_place(
    job_id job,
    std::string_view resource,
    waiting_place const& place,
    std::chrono::milliseconds waited,
    bool passed
);

} // namespace postrider::queue
