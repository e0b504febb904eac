// Steps: their tries, their delays, and effects as steps.
#include "queue/run/job_run.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace postrider::queue {

namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;

bool may_repeat(effect_class how) {
    return how != effect_class::at_most_once && how != effect_class::ask;
}

base::awaitable<step_value> within(step_function work, milliseconds limit) {
    co_return co_await base::with_timeout(work(), limit);
}

base::awaitable<step_value> noting_its_end(step_function work, bool& ended) {
    auto value = co_await work();
    ended = true;
    co_return value;
}

// postrider.step numbers them by a smallint.
constexpr int most_steps = 32'000;

} // namespace

std::string job_run::next_key(std::string const& name) {
    if (name.empty() || name.find_first_of("~#") != name.npos)
        throw std::logic_error("not a name for a step: '" + name + "'");
    return numbered(name, ++occurrences_[name]);
}

bool job_run::recorded(std::string const& name) const {
    auto seen = occurrences_.find(name);
    auto n = seen == occurrences_.end() ? 1 : seen->second + 1;
    auto step = record_.steps.find(numbered(name, n));
    return step != record_.steps.end() && step->second.final_attempt();
}

// Told before the work is done; what undoes it finds room behind the limit.
int job_run::seq_of(step_record const& step) {
    if (!step.tries.empty()) return step.tries.front().seq;
    if (!undoing_ && record_.next_seq > most_steps)
        throw std::length_error(fmt::format("a job has at most {} steps", most_steps));
    return record_.next_seq++;
}

// Before anything new is begun. An undo is not stopped by what ends the job: that is why it runs.
void job_run::boundary() const {
    if (branches_ && branches_->failure) throw suspended{};
    bool const waits = asked_ == control_request::pause || asked_ == control_request::hold;
    if (undoing_ ? waits : expired_ || rolling_back()) throw asked_to_stop{};
    if (undoing_ || !asked_) return;
    if (asked_ != control_request::interrupt || !answered()) throw asked_to_stop{};
}

void job_run::hold(step_attempt finished) {
    held_attempts_.push_back(std::move(finished));
}

void job_run::note(step_attempt const& finished) {
    record_.steps[finished.key].tries.push_back(finished);
}

base::awaitable<step_value> job_run::run(
    std::string name, base::retry_policy policy, step_function work
) {
    auto value = co_await try_step(std::move(name), policy, std::move(work));
    if (!held_attempts_.empty()) co_await flush();
    co_return value;
}

base::awaitable<step_value> job_run::try_step(
    std::string name, base::retry_policy policy, step_function work
) {
    auto once = [&work](milliseconds limit) { return within(work, limit); };
    co_return co_await attempts(next_key(name), policy, once);
}

base::awaitable<step_value> job_run::attempts(
    std::string key, base::retry_policy policy, bounded_function once
) {
    if (!undoing_) order_check_.ask(key);
    auto& step = record_.steps[key];
    if (auto last = step.final_attempt()) {
        if (last->outcome == attempt_outcome::done) co_return last->result;
        co_return last->failure;
    }
    auto const effect = record_.effects.find(key);
    bool const decided = effect != record_.effects.end() && effect->second.ours;
    if (!decided) boundary();
    auto const seq = seq_of(step);
    if (!step.tries.empty() && step.tries.front().policy) policy = *step.tries.front().policy;
    auto const earlier = step.age;
    auto const began = services_.clock.steady();

    for (auto attempt = static_cast<int>(step.tries.size()) + 1;; ++attempt) {
        auto const started = services_.clock.steady();
        auto spent = earlier + duration_cast<milliseconds>(started - began);
        auto limit = policy.timeout;
        if (policy.total) limit = std::max(milliseconds{1}, std::min(limit, *policy.total - spent));
        auto value = co_await once(limit);

        step_attempt one;
        one.key = key;
        one.attempt = attempt;
        one.seq = seq;
        one.took = duration_cast<microseconds>(services_.clock.steady() - started);
        if (value) {
            one.result = *value;
            hold(std::move(one));
            co_return value;
        }
        one.failure = value.error();
        one.policy = policy;
        spent = earlier + duration_cast<milliseconds>(services_.clock.steady() - began);
        one.next_in =
            base::next_try(policy, attempt, spent, one.failure, base::uniform(services_.random));
        if (!one.next_in) {
            one.outcome = attempt_outcome::failed;
            hold(std::move(one));
            co_return value;
        }
        one.outcome = attempt_outcome::retry;
        step.tries.push_back(one);
        co_await pause_before_retry(std::move(one));
        boundary();
    }
}

// Records the failed try, then waits: here when it is short, parked when it is long.
base::awaitable<void> job_run::pause_before_retry(step_attempt failed) {
    auto const delay = *failed.next_in;
    auto const reason = "step " + failed.key + " is tried again (" +
                        std::string(base::to_string(failed.failure.code)) + ")";
    auto effect = record_.effects.find(failed.key);
    hold(std::move(failed));
    if (delay < shortest_park_delay) {
        co_await flush();
        co_await base::sleep_for(delay);
        co_return;
    }
    if (effect != record_.effects.end())
        held_changes_.push_back(
            {effect->first, effect_state::planned, effect->second.flagged, nullptr}
        );
    park parked{job_state::retryable, delay, reason, {}};
    co_await leave(std::move(parked));
}

base::awaitable<step_value> job_run::perform(
    std::string key, base::retry_policy policy, step_function work
) {
    if (!record_.effects.contains(key))
        throw std::logic_error("effect " + key + " was not committed before it is performed");
    auto step = record_.steps.find(key);
    bool const served = step != record_.steps.end() && step->second.final_attempt();
    auto once = [this, &key, &work](milliseconds limit) { return call_effect(key, work, limit); };
    auto value = co_await attempts(key, policy, once);
    if (!served) settle_effect(key, value);
    co_return value;
}

base::awaitable<step_value> job_run::call_effect(
    std::string key, step_function work, milliseconds limit
) {
    auto& effect = record_.effects[key];
    if (effect.state == effect_state::unknown)
        co_return base::error(base::errc::ambiguous, "left in doubt");
    if (effect.state == effect_state::planned) {
        auto what = request();
        what.changes.push_back({key, effect_state::started, effect.flagged, nullptr});
        co_await write(std::move(what));
        effect.state = effect_state::started;
        effect.ours = true;
    } else if (!effect.ours) {
        // A run before started it and did not tell how it ended.
        if (!may_repeat(effect.how))
            co_return base::error(base::errc::ambiguous, "interrupted while it was done");
        if (effect.how == effect_class::at_least_once) effect.flagged = true;
        effect.ours = true;
    }
    if (!services_.may_act()) throw abandoned{};

    // A timeout that the work itself reports is certain not to have happened; ours is not.
    bool ended = false;
    auto value = co_await base::with_timeout(noting_its_end(work, ended), limit);
    if (!ended) value = base::error(base::errc::ambiguous, "no answer in time");
    if (!value && value.error() == base::errc::ambiguous && may_repeat(effect.how)) {
        if (effect.how == effect_class::at_least_once) effect.flagged = true;
        co_return base::error(base::errc::unavailable, value.error().detail);
    }
    co_return value;
}

void job_run::settle_effect(std::string const& key, step_value const& value) {
    auto& effect = record_.effects[key];
    effect.state = value                                    ? effect_state::done
                   : value.error() == base::errc::ambiguous ? effect_state::unknown
                                                            : effect_state::failed;
    held_changes_.push_back(
        {key, effect.state, effect.flagged, value ? *value : boost::json::value(nullptr)}
    );
}

} // namespace postrider::queue
