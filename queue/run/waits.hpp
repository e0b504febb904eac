#pragma once
// Sleeps and waits for events of one run. Short ones keep the coroutine, long ones park the job.
#include "queue/run/step_runner.hpp"
#include "queue/run/workflow_environment.hpp"

namespace postrider::queue {

class waits {
public:
    waits(run_state& run, step_runner& steps) : run_(run), steps_(steps) {}

    base::awaitable<void> sleep(std::string name, sleep_time time);
    base::awaitable<step_value> wait_for_event(std::string name, awaited_event event);

private:
    base::awaitable<void> rest_on(std::string const& name, std::chrono::milliseconds left);
    [[noreturn]] void leave_waiting(checkpoint const& unit, await_event const& waiting);

    run_state& run_;
    step_runner& steps_;
};

} // namespace postrider::queue
