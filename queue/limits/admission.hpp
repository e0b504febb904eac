#pragma once
// How a job gets past a gate (queue/limits/limits.hpp): at once, after a short wait in its place, or
// by being parked with a time of its own and coming back.
#include "base/async.hpp"
#include "queue/job.hpp"
#include "queue/limits/limits.hpp"

#include <functional>
#include <set>
#include <string>

namespace postrider::queue {

struct gate_result {
    enum class outcome { pass, park, give_up };
    outcome verdict = outcome::pass;
    std::chrono::milliseconds wait{0}; // before it is worth to look again
    std::string reason;
    std::optional<std::chrono::sys_seconds> until = {}; // as of the admission
    std::vector<storage::write> writes; // for the parking commit, or for the next one
};

// Looks for a way past the gate of the resource; waits shorter than `shortest_park` happen here.
// give_up: the job has waited, and would wait, for longer than its patience in all. `admitted`: the
// places that this run has left already. may_act: false once the lease must be taken for lost.
base::awaitable<gate_result> pass_gate(
    limiter& limits,
    queue::job const& job,
    std::string resource,
    std::optional<std::chrono::milliseconds> patience,
    std::chrono::milliseconds longest_use,
    std::chrono::milliseconds shortest_park,
    std::set<std::string>& admitted,
    std::function<bool()> may_act
);

} // namespace postrider::queue
