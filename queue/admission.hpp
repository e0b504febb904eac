#pragma once
// How a job gets past a gate (queue/limits.hpp): at once, after a short wait in its place, or by
// being parked with a time of its own and coming back.
#include "base/async.hpp"
#include "queue/job.hpp"
#include "queue/limits.hpp"

#include <functional>
#include <set>
#include <string>

namespace postrider::queue {

struct passage {
    enum class verdict { pass, park, give_up };
    verdict what = verdict::pass;
    std::chrono::milliseconds wait{0}; // before it is worth to look again
    std::string why;
    std::vector<storage::write> writes; // for the parking commit, or for the next one
};

// The gates of one run of a job.
class gatekeeper {
public:
    // may_act: false once the lease must be taken for lost.
    gatekeeper(limiter& limits, queue::job const& job, std::function<bool()> may_act)
        : limits_(limits),
          job_(job),
          may_act_(std::move(may_act)) {}

    // Waits shorter than `shortest_park` happen here. give_up: the job has waited, and would wait,
    // for longer than its patience in all.
    base::awaitable<passage> admit(
        std::string resource,
        std::optional<std::chrono::milliseconds> patience,
        std::chrono::milliseconds shortest_park
    );

private:
    base::awaitable<std::optional<limiter::place>> place_of(std::string const& resource);

    limiter& limits_;
    queue::job const& job_;
    std::function<bool()> may_act_;
    std::set<std::string> used_; // places that earlier runs kept and this one has left
};

} // namespace postrider::queue
