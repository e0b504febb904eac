#include "queue/run/waits.hpp"

namespace postrider::queue {

namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

park asleep_for(std::string const& name, milliseconds left) {
    return {.as = job_state::waiting, .delay = left, .reason = "sleep " + name};
}

} // namespace

// The sleep stands in the record before the job is parked: its end does not move when the job is
// put back meanwhile. A short one is recorded with whatever is committed next, as what it is by
// then: its end may be near, or long over.
base::awaitable<void> waits::sleep(std::string name, sleep_time time) {
    auto const key = steps_.next_key(name);
    auto& step = steps_.ask_for(key);
    auto const& clock = run_.services.clock;
    if (step.final_attempt()) {
        auto const since = duration_cast<milliseconds>(clock.steady() - run_.history_read);
        co_await rest_on(name, step.left.value_or(milliseconds{0}) - since);
        co_return;
    }
    run_.boundary();
    step_attempt asleep{.key = key, .seq = steps_.seq_of(step)};
    auto left = milliseconds{0};
    if (auto const* end = std::get_if<base::sys_time>(&time)) {
        asleep.until = *end;
        left = duration_cast<milliseconds>(*end - clock.now());
    } else {
        left = std::max(std::get<milliseconds>(time), left);
        asleep.next_in = left;
    }
    auto parked = asleep_for(name, left);
    parked.until = asleep.until;
    step.attempts.push_back(asleep);
    if (left >= shortest_park_delay) {
        run_.journal.hold(asleep);
        co_await run_.leave(std::move(parked));
    }
    asleep.until.reset();
    asleep.sleep_began = clock.steady();
    asleep.due = *asleep.sleep_began + std::max(left, milliseconds{0});
    run_.journal.hold(std::move(asleep));
    if (left <= milliseconds{0}) co_return;
    co_await run_.journal.record_work();
    co_await base::sleep_for(left);
}

// A run that comes to a sleep of the record before its end: something else woke the job.
base::awaitable<void> waits::rest_on(std::string const& name, milliseconds left) {
    if (left <= milliseconds{0}) co_return;
    run_.boundary();
    auto parked = asleep_for(name, left);
    if (left >= shortest_park_delay) co_await run_.leave(std::move(parked));
    co_await run_.journal.record_work();
    co_await base::sleep_for(left);
}

base::awaitable<step_value> waits::wait_for_event(std::string name, awaited_event event) {
    auto const key = steps_.next_key(name);
    auto& step = steps_.ask_for(key);
    if (auto const* recorded = step.final_attempt()) co_return result_of(*recorded);
    run_.boundary();
    await_event waiting;
    waiting.event = std::move(event);
    waiting.step.key = key;
    waiting.step.seq = steps_.seq_of(step);
    waiting.parks = !run_.branches;
    checkpoint_request request;
    request.ending = waiting;
    auto const sent = co_await run_.journal.write(std::move(request));
    if (!sent->awaited()) leave_waiting(*sent, waiting);
    auto const& value = *sent->awaited();
    waiting.step.outcome = value ? attempt_outcome::done : attempt_outcome::failed;
    if (value)
        waiting.step.result = *value;
    else
        waiting.step.failure = value.error();
    step.attempts.push_back(waiting.step);
    co_return value;
}

void waits::leave_waiting(checkpoint const& unit, await_event const& waiting) {
    if (unit.asked() && unit.asked() != control_request::hold) throw asked_to_stop{};
    if (!waiting.parks) {
        park until{.as = job_state::waiting, .delay = unit.parked_for()};
        until.reason = "event " + waiting.event.type;
        until.for_events = true;
        run_.suspend_branch(std::move(until));
    }
    run_.parked_for = unit.parked_for();
    throw suspended{};
}

} // namespace postrider::queue
