// Sleeps and waits for events.
#include "queue/run/job_run.hpp"

namespace postrider::queue {

namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

} // namespace

base::awaitable<void> job_run::sleep(std::string name, milliseconds length) {
    step_attempt asleep;
    asleep.next_in = std::max(length, milliseconds{0});
    co_await rest(std::move(name), std::move(asleep));
}

base::awaitable<void> job_run::sleep_until(std::string name, base::sys_time when) {
    step_attempt asleep;
    asleep.until = when;
    co_await rest(std::move(name), std::move(asleep));
}

// The sleep stands in the record before the job is parked: its end does not move when the job is
// put back meanwhile. A short one is recorded with whatever is committed next, as what it is by
// then: its end may be near, or long over.
base::awaitable<void> job_run::rest(std::string name, step_attempt asleep) {
    auto const key = next_key(name);
    order_check_.ask(key);
    auto const known = record_.steps.find(key);
    if (known != record_.steps.end() && known->second.final_attempt()) {
        auto const since = duration_cast<milliseconds>(services_.clock.steady() - record_read_);
        co_await rest_on(name, known->second.left.value_or(milliseconds{0}) - since);
        co_return;
    }
    boundary();
    asleep.key = key;
    asleep.seq = seq_of(record_.steps[key]);
    auto left = asleep.next_in.value_or(milliseconds{0});
    if (asleep.until) left = duration_cast<milliseconds>(*asleep.until - services_.clock.now());
    park parked{job_state::waiting, left, "sleep " + name, asleep.until};
    note(asleep);
    if (left < shortest_park_delay) {
        asleep.next_in = std::max(left, milliseconds{0});
        asleep.until.reset();
        asleep.since = services_.clock.steady();
    }
    hold(std::move(asleep));
    if (left >= shortest_park_delay) co_await leave(std::move(parked));
    if (left > milliseconds{0}) co_await base::sleep_for(left);
}

// A run that comes to a sleep of the record before its end: something else woke the job.
base::awaitable<void> job_run::rest_on(std::string const& name, milliseconds left) {
    if (left <= milliseconds{0}) co_return;
    boundary();
    park parked{job_state::waiting, left, "sleep " + name, {}};
    if (left >= shortest_park_delay) co_await leave(std::move(parked));
    co_await base::sleep_for(left);
}

base::awaitable<step_value> job_run::wait_for_event(std::string name, awaited_event what) {
    auto const key = next_key(name);
    order_check_.ask(key);
    auto& step = record_.steps[key];
    if (auto last = step.final_attempt()) {
        if (last->outcome == attempt_outcome::done) co_return last->result;
        co_return last->failure;
    }
    boundary();
    await_event wanted;
    wanted.what = std::move(what);
    wanted.step.key = key;
    wanted.step.seq = seq_of(step);
    wanted.parks = !branches_;
    auto asking = request();
    asking.ending = wanted;
    auto sent = co_await write(std::move(asking));
    if (!sent->awaited()) {
        if (sent->asked() && sent->asked() != control_request::hold) throw asked_to_stop{};
        if (!wanted.parks) {
            park until{job_state::waiting, sent->parked_for(), "event " + wanted.what.type, {}};
            until.for_events = true;
            suspend_branch(std::move(until));
        }
        parked_for_ = sent->parked_for();
        throw suspended{};
    }
    auto const& value = *sent->awaited();
    wanted.step.outcome = value ? attempt_outcome::done : attempt_outcome::failed;
    if (value)
        wanted.step.result = *value;
    else
        wanted.step.failure = value.error();
    note(wanted.step);
    co_return value;
}

} // namespace postrider::queue
