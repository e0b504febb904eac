#pragma once
// A job that was paid for and is stuck in its slow step, on a node that will fall silent.
#include "tests/integration/queue/steps.hpp"

namespace postrider::tests {

inline base::awaitable<queue::outcome> paid_then_slow(
    queue::workflow& flow, int& paid, latch& door, boost::json::value result
) {
    auto bill = co_await flow.run("pay", {}, [&] { return give(++paid); });
    auto slow = co_await flow.run("slow", {}, [&] { return pass_through(door, result); });
    co_return queue::outcome::completed({{"bill", *bill}, {"slow", *slow}});
}

struct stuck_job {
    stuck_job() {
        w.enqueue(zombie, w.make_lane("a"), "job");
        w.until([this] { return stuck.arrived == 1; });
    }
    ~stuck_job() {
        stuck.let_go();
        w.stop();
    }

    // As a node has it that gets through the slow step at that door.
    queue::job_kind kind(latch& door, std::string result) {
        return {"job", [this, &door, result](queue::workflow& flow) {
                    return paid_then_slow(flow, paid, door, boost::json::value(result));
                }};
    }

    world w;
    latch stuck{w.io};
    latch other{w.io};
    int paid = 0;
    node& zombie = w.start_zombie({kind(stuck, "late")});
};

} // namespace postrider::tests
