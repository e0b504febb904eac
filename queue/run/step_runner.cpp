#include "queue/run/step_runner.hpp"

#include "queue/engine_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace postrider::queue {

namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;

base::awaitable<step_value> within(step_function work, milliseconds limit) {
    co_return co_await base::with_timeout(work(), limit);
}

void note_end(
    step_attempt& attempt, step_value const& value, base::steady_time began, base::steady_time ended
) {
    attempt.took = duration_cast<microseconds>(ended - began);
    attempt.ended = ended;
    attempt.outside = true;
    if (value) {
        attempt.result = *value;
    } else {
        attempt.outcome = attempt_outcome::failed;
        attempt.failure = value.error();
    }
}

std::string reason_of_retry(std::string const& key, base::error const& failure) {
    return "step " + key + " is tried again (" + std::string(base::to_string(failure.code)) + ")";
}

// postrider.step numbers them by a smallint.
constexpr int most_steps = 32'000;

} // namespace

std::string name_of(std::string const& key) {
    return key.substr(0, key.find('#'));
}

step_value result_of(step_attempt const& final_attempt) {
    if (final_attempt.outcome == attempt_outcome::done) return final_attempt.result;
    return final_attempt.failure;
}

step_runner::step_runner(run_state& run) : run_(run), order_check_({}) {
    check_order_of(run.history.order);
}

// An effect that was only tried was promised all the same. Where a message of the lane was edited, the
// record may have what the older words led to.
void step_runner::check_order_of(std::vector<std::string> recorded) {
    std::set<std::string> tried;
    for (auto const& [key, step] : run_.history.steps)
        if (!step.final_attempt() && !run_.history.effects.contains(key)) tried.insert(key);
    order_check_ = queue::order_check(std::move(recorded), tried);
    if (run_.journal.lease().edits > 0) order_check_.skip_unasked({});
}

std::string step_runner::next_key(std::string const& name) {
    if (name.empty() || name.find_first_of("~#") != name.npos)
        throw std::logic_error("not a name for a step: '" + name + "'");
    return numbered(name, ++occurrences_[name]);
}

step_record& step_runner::ask_for(std::string const& key) {
    if (!run_.undoing) order_check_.ask(key);
    return run_.history.steps[key];
}

std::string step_runner::key_to_come(std::string const& name) const {
    auto const seen = occurrences_.find(name);
    return numbered(name, seen == occurrences_.end() ? 1 : seen->second + 1);
}

void step_runner::in_any_order(std::vector<std::string> names) {
    for (auto& name : names) name = key_to_come(name);
    order_check_.ask_together(names);
}

bool step_runner::recorded(std::string const& name) const {
    auto const step = run_.history.steps.find(key_to_come(name));
    return step != run_.history.steps.end() && step->second.final_attempt();
}

// The undoing of a step finds room behind the limit.
int step_runner::seq_of(step_record const& step) {
    if (!step.attempts.empty()) return step.attempts.front().seq;
    if (!run_.undoing && run_.history.next_seq > most_steps)
        throw std::length_error(fmt::format("a job has at most {} steps", most_steps));
    return run_.history.next_seq++;
}

base::awaitable<step_value> step_runner::try_step(
    std::string name, base::retry_policy policy, step_function work
) {
    auto bounded = [&work](milliseconds limit) { return within(work, limit); };
    co_return co_await attempts(next_key(name), policy, bounded);
}

base::awaitable<step_value> step_runner::record_value(std::string name, step_value value) {
    auto const key = next_key(name);
    auto& step = ask_for(key);
    if (auto const* recorded = step.final_attempt()) co_return result_of(*recorded);
    // A stop that is asked for waits for the commit of what was done outside, which is refused where
    // that was done for words that have changed.
    if (!run_.journal.holds_work()) run_.boundary();
    step_attempt decided{.key = key, .seq = seq_of(step)};
    decided.ended = run_.services.clock.steady();
    if (value) {
        decided.result = *value;
    } else {
        decided.outcome = attempt_outcome::failed;
        decided.failure = value.error();
    }
    run_.journal.hold(std::move(decided));
    co_return value;
}

base::awaitable<step_value> step_runner::attempts(
    std::string key, base::retry_policy policy, bounded_function work
) {
    auto& step = ask_for(key);
    if (auto const* recorded = step.final_attempt()) co_return result_of(*recorded);
    // A request of the meantime comes back with this commit, or is withdrawn by it.
    co_await run_.journal.record_work();
    auto const effect = run_.history.effects.find(key);
    bool const is_effect = effect != run_.history.effects.end();
    if (!is_effect || !effect->second.own) run_.boundary();
    co_await await_retry(key, step);
    auto const seq = seq_of(step);
    if (!step.attempts.empty() && step.attempts.front().policy)
        policy = *step.attempts.front().policy;
    auto const& clock = run_.services.clock;
    auto const first_began = clock.steady();
    auto const spent_by = [earlier = step.age, first_began](base::steady_time moment) {
        return earlier + duration_cast<milliseconds>(moment - first_began);
    };

    for (auto number = static_cast<int>(step.attempts.size()) + 1;; ++number) {
        auto const began = clock.steady();
        auto limit = policy.timeout;
        if (policy.total)
            limit = std::max(milliseconds{1}, std::min(limit, *policy.total - spent_by(began)));
        auto value = co_await work(limit);

        step_attempt attempt{.key = key, .attempt = number, .seq = seq};
        note_end(attempt, value, began, clock.steady());
        if (auto* measures = run_.services.measures)
            measures->steps.observe(
                is_effect ? std::string_view(effect->second.kind) : std::string_view(),
                value ? std::string_view() : base::to_string(value.error().code),
                *attempt.ended - began
            );
        attempt.used = std::exchange(paid_[name_of(key)], {});
        if (!value) {
            attempt.policy = policy;
            auto const chance = base::uniform(run_.services.random);
            auto const spent = spent_by(*attempt.ended);
            auto reason = attempt.failure;
            // Where it may be done again, a lost answer is a reason to.
            if (is_effect && reason == base::errc::ambiguous &&
                effect->second.state != effect_state::unknown &&
                may_repeat(effect->second.effect_class))
                reason.code = base::errc::unavailable;
            attempt.next_in = base::next_try(policy, number, spent, reason, chance);
        }
        if (!attempt.next_in) {
            // Whatever became of the last try, an earlier one may have been done.
            if (!value && is_effect && effect->second.in_doubt) {
                attempt.failure.code = base::errc::ambiguous;
                value = attempt.failure;
            }
            run_.journal.hold(std::move(attempt));
            co_return value;
        }
        attempt.outcome = attempt_outcome::retry;
        step.attempts.push_back(attempt);
        co_await pause_before_retry(std::move(attempt));
        run_.boundary();
    }
}

// A run that comes to a failed attempt of the record before the next is due: something else woke the
// job.
base::awaitable<void> step_runner::await_retry(std::string const& key, step_record const& step) {
    if (step.attempts.empty()) co_return;
    auto const since =
        duration_cast<milliseconds>(run_.services.clock.steady() - run_.history_read);
    auto const left = step.left.value_or(milliseconds{0}) - since;
    if (left <= milliseconds{0}) co_return;
    if (left >= shortest_park_delay) {
        auto reason = reason_of_retry(key, step.attempts.back().failure);
        park parked{.as = job_state::retryable, .delay = left, .reason = std::move(reason)};
        co_await run_.leave(std::move(parked));
    }
    co_await base::sleep_for(left);
    run_.boundary();
}

// Records the failed attempt, then waits: here when it is short, parked when it is long.
base::awaitable<void> step_runner::pause_before_retry(step_attempt failed) {
    auto const delay = *failed.next_in;
    auto reason = reason_of_retry(failed.key, failed.failure);
    auto const effect = run_.history.effects.find(failed.key);
    run_.journal.hold(std::move(failed));
    if (delay < shortest_park_delay) {
        co_await run_.journal.write();
        co_await base::sleep_for(delay);
        co_return;
    }
    if (effect != run_.history.effects.end()) {
        effect->second.state = effect_state::planned;
        effect_change again{.key = effect->first, .state = effect_state::planned};
        again.flagged = effect->second.flagged;
        run_.journal.hold(std::move(again));
    }
    park parked{.as = job_state::retryable, .delay = delay, .reason = std::move(reason)};
    co_await run_.leave(std::move(parked));
}

void step_runner::check_end() const {
    if (!run_.rolling_back()) order_check_.end();
}

void step_runner::start_over() {
    occurrences_.clear();
    std::vector<std::pair<int, std::string>> order;
    for (auto const& [key, step] : run_.history.steps)
        if (!step.attempts.empty()) order.emplace_back(step.attempts.front().seq, key);
    std::ranges::sort(order);
    std::vector<std::string> recorded;
    recorded.reserve(order.size());
    for (auto& [seq, key] : order) recorded.push_back(std::move(key));
    check_order_of(std::move(recorded));
}

} // namespace postrider::queue
