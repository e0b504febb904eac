#include "queue/run.hpp"

#include "base/log.hpp"

namespace postrider::queue {

namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::milliseconds;

// Shorter delays keep the coroutine, longer ones park the job and free the slot.
constexpr auto shortest_park = milliseconds{2000};

// After this a commit is taken for lost and sent again, as long as the lease lasts.
constexpr auto commit_deadline = std::chrono::seconds{3};

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

} // namespace

job_run::job_run(run_services services, queue::job job, queue::lease lease, job_record record)
    : services_(std::move(services)),
      job_(std::move(job)),
      lease_(lease),
      seen_edits_(lease.edits),
      record_(std::move(record)) {}

std::string job_run::next_key(std::string const& name) {
    auto n = ++occurrences_[name];
    return n == 1 ? name : name + "#" + std::to_string(n);
}

bool job_run::recorded(std::string const& name) const {
    auto seen = occurrences_.find(name);
    auto n = seen == occurrences_.end() ? 1 : seen->second + 1;
    auto step = record_.steps.find(n == 1 ? name : name + "#" + std::to_string(n));
    return step != record_.steps.end() && step->second.final_try();
}

void job_run::hold(recorded_try finished) {
    held_tries_.push_back(std::move(finished));
}

progress job_run::request() {
    progress what;
    what.node = services_.node;
    what.lease = lease_;
    what.job = job_;
    what.tries = std::exchange(held_tries_, {});
    what.changes = std::exchange(held_changes_, {});
    what.writes = std::exchange(held_writes_, {});
    return what;
}

base::awaitable<std::shared_ptr<progress>> job_run::write(progress what) {
    auto sent = std::make_shared<progress>(what);
    for (auto pause = milliseconds{50};; pause = std::min(pause * 2, milliseconds{1000})) {
        auto done = co_await services_.progress.commit(sent, commit_deadline);
        if (done) break;
        auto const& failure = done.error();
        if (failure == base::errc::poison || failure == base::errc::internal)
            throw std::runtime_error("the database refused a record: " + failure.detail);
        // Sending it again is safe, even beside a first one that still waits: every row stands at
        // most once, behind the same fence. It is a new object, since the batcher may still use the
        // other.
        if (failure != base::errc::unavailable) what.unless_edited = false;
        if (!services_.may_act()) throw abandoned{};
        co_await base::sleep_for(pause);
        sent = std::make_shared<progress>(what);
    }
    seen_edits_ = sent->edits();
    if (sent->result() == progress::verdict::lost) {
        base::log::warn("lease.lost", {{"job", job_.id}, {"lane", job_.lane}});
        throw abandoned{};
    }
    co_return sent;
}

base::awaitable<base::result<void>> job_run::commit(commit_with more) {
    auto what = request();
    what.writes.insert(what.writes.end(), more.writes.begin(), more.writes.end());
    what.intents = std::move(more.effects);
    what.unless_edited = more.unless_edited;
    auto sent = co_await write(std::move(what));
    if (sent->result() == progress::verdict::stale) {
        // The dropped results' steps run again under the same keys.
        for (auto const& dropped : sent->tries) {
            auto named = occurrences_.find(dropped.key.substr(0, dropped.key.find('#')));
            if (named != occurrences_.end()) --named->second;
        }
        co_return base::error(base::errc::stale, "the message was edited meanwhile");
    }
    for (auto const& intent : sent->intents)
        record_.effects[intent.key] = {
            intent.at_once ? effect_state::started : effect_state::planned,
            intent.how,
            false,
            true};
    co_return base::result<void>{};
}

base::awaitable<void> job_run::flush() {
    co_await write(request());
}

base::awaitable<std::optional<queue::job>> job_run::finish(queue::ending how) {
    auto what = request();
    what.ending = std::move(how);
    auto sent = co_await write(std::move(what));
    lease_.edits = sent->edits();
    co_return sent->next();
}

base::awaitable<step_value> job_run::run(
    std::string name, base::retry_policy policy, step_function work
) {
    auto value = co_await try_step(std::move(name), policy, std::move(work));
    if (!held_tries_.empty()) co_await flush();
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
    auto& step = record_.steps[key];
    if (auto last = step.final_try()) {
        if (last->outcome == try_outcome::done) co_return last->result;
        co_return last->failure;
    }
    auto const seq = step.tries.empty() ? record_.next_seq++ : step.tries.front().seq;
    if (!step.tries.empty() && step.tries.front().policy) policy = *step.tries.front().policy;
    auto const earlier = step.age;
    auto const began = services_.clock.steady();

    for (auto attempt = static_cast<int>(step.tries.size()) + 1;; ++attempt) {
        auto const started = services_.clock.steady();
        auto spent = earlier + duration_cast<milliseconds>(started - began);
        auto limit = policy.timeout;
        if (policy.total) limit = std::max(milliseconds{1}, std::min(limit, *policy.total - spent));
        auto value = co_await once(limit);

        recorded_try one;
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
            one.outcome = try_outcome::failed;
            hold(std::move(one));
            co_return value;
        }
        one.outcome = try_outcome::retry;
        step.tries.push_back(one);
        co_await pause_before_retry(std::move(one));
    }
}

// Records the failed try, then waits: here when it is short, parked when it is long.
base::awaitable<void> job_run::pause_before_retry(recorded_try failed) {
    auto const delay = *failed.next_in;
    auto const reason = "step " + failed.key + " is tried again (" +
                        std::string(base::to_string(failed.failure.code)) + ")";
    auto effect = record_.effects.find(failed.key);
    hold(std::move(failed));
    if (delay < shortest_park) {
        co_await flush();
        co_await base::sleep_for(delay);
        co_return;
    }
    if (effect != record_.effects.end())
        held_changes_.push_back(
            {effect->first, effect_state::planned, effect->second.flagged, nullptr}
        );
    ending parked = park{job_state::retryable, delay, reason};
    co_await finish(std::move(parked));
    parked_for_ = delay;
    throw suspended{};
}

base::awaitable<step_value> job_run::perform(
    std::string key, base::retry_policy policy, step_function work
) {
    if (!record_.effects.contains(key))
        throw std::logic_error("effect " + key + " was not committed before it is performed");
    auto step = record_.steps.find(key);
    bool const served = step != record_.steps.end() && step->second.final_try();
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
