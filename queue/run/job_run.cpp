#include "queue/run/job_run.hpp"

#include "base/log.hpp"
#include "queue/limits/admission.hpp"
#include "queue/run/branch_group.hpp"
#include "queue/store/checkpoint_rows.hpp"
#include "queue/store/statements.hpp"

namespace postrider::queue {

job_run::job_run(run_services services, queue::job job, queue::lease lease, step_history history)
    : run_(std::move(services), std::move(job), lease, std::move(history)),
      steps_(run_),
      effects_(run_, steps_),
      waits_(run_, steps_) {}

base::awaitable<step_value> job_run::try_step(
    std::string name, base::retry_policy policy, step_function work
) {
    return steps_.try_step(std::move(name), policy, std::move(work));
}

base::awaitable<step_value> job_run::record_value(std::string name, step_value value) {
    return steps_.record_value(std::move(name), std::move(value));
}

base::awaitable<base::result<void>> job_run::commit(commit_with more) {
    checkpoint_request request;
    request.writes = std::move(more.writes);
    request.intents = std::move(more.effects);
    request.unless_edited = more.unless_edited;
    request.unless_ending = !request.intents.empty() && !run_.undoing;
    auto const unit = co_await run_.journal.write(std::move(request));
    if (unit->result() == checkpoint::verdict::stale) {
        // The cost stays paid, and counts for the next try.
        for (auto const& attempt : unit->request().attempts)
            steps_.spend(name_of(attempt.key), attempt.used);
        co_return base::error(base::errc::stale, "the message was edited meanwhile");
    }
    effects_.note_intents(unit->request().intents);
    co_return base::result<void>{};
}

base::awaitable<void> job_run::commit_held() {
    if (run_.journal.holds_attempts()) co_await run_.journal.write();
}

base::awaitable<step_value> job_run::perform(
    std::string key, base::retry_policy policy, step_function work
) {
    return effects_.perform(std::move(key), policy, std::move(work));
}

base::awaitable<void> job_run::sleep(std::string name, sleep_time time) {
    return waits_.sleep(std::move(name), time);
}

base::awaitable<step_value> job_run::wait_for_event(std::string name, awaited_event event) {
    return waits_.wait_for_event(std::move(name), std::move(event));
}

base::awaitable<void> job_run::parallel(std::vector<branch> branches) {
    return run_side_by_side(run_, std::move(branches));
}

base::awaitable<base::result<void>> job_run::admit(
    std::string resource,
    std::optional<std::chrono::milliseconds> patience,
    std::optional<std::chrono::milliseconds> longest_use
) {
    auto const& services = run_.services;
    if (!services.limits || resource.empty()) co_return base::result<void>{};
    // The gate may keep the run waiting.
    co_await run_.journal.record_work();
    run_.boundary();
    auto gate = co_await pass_gate(
        *services.limits,
        run_.job,
        std::move(resource),
        patience,
        longest_use.value_or(usual_use),
        shortest_park_delay,
        admitted_,
        services.may_act
    );
    for (auto& row : gate.writes) run_.journal.hold(std::move(row));
    if (gate.verdict == gate_result::outcome::park) {
        effects_.unbegin();
        park parked{.as = job_state::waiting, .delay = gate.wait, .reason = gate.reason};
        co_await run_.leave(std::move(parked));
    }
    if (gate.verdict == gate_result::outcome::give_up) {
        base::error late(base::errc::unavailable, gate.reason);
        late.until = gate.until;
        late.retry_after = gate.wait;
        co_return late;
    }
    co_return base::result<void>{};
}

void job_run::on_rollback(std::string name, step_function undo, base::retry_policy policy) {
    undo_.push_back({.name = std::move(name), .work = std::move(undo), .policy = policy});
}

void job_run::give_up(std::string_view prefix) {
    skip_unasked(prefix);
    effects_.drop(prefix);
    if (may_wait()) run_.journal.hold(end_waits_below(run_.job.id, prefix));
}

bool job_run::planned(std::string const& key) const {
    return run_.history.effects.contains(key);
}

void job_run::start_over() {
    run_.journal.accept_edits();
    undo_.clear();
    steps_.start_over();
}

base::awaitable<outcome> job_run::roll_back(outcome planned) {
    run_.undoing = true;
    auto const asked = run_.journal.asked();
    if (asked != control_request::pause && asked != control_request::hold)
        run_.journal.forget_request();
    if (!rolling_back()) {
        run_.job.rolling_back = to_json(planned);
        checkpoint_request request;
        request.ending = begin_rollback{planned};
        co_await run_.journal.write(std::move(request));
    }
    workflow flow(*this);
    for (auto step = undo_.rbegin(); step != undo_.rend(); ++step) {
        auto const name = std::string(undo_prefix) + step->name;
        auto value = co_await flow.run(name, step->policy, step->work);
        if (value) continue;
        auto& detail = planned.error.detail;
        detail += (detail.empty() ? "not undone: " : "; not undone: ") + step->name;
        base::log::warn(
            "job.not_undone", {{"job", run_.job.id}, {"step", step->name}, {"error", value.error()}}
        );
    }
    co_return planned;
}

bool job_run::may_wait() const noexcept {
    return run_.job.begun_before || run_.journal.has_waited();
}

base::awaitable<job_run::finished> job_run::finish(queue::ending last) {
    checkpoint_request request;
    auto const* settled = std::get_if<settle>(&last);
    if (settled) {
        bool const by_lost_runs = settled->outcome.error == base::errc::lost;
        request.changes = effects_.close_open(by_lost_runs);
        // Of branches that were given up waits are left, however the job ends.
        if (may_wait()) request.writes.push_back(end_waits_of(run_.job.id));
    } else {
        effects_.unbegin(); // a later run finds what this one has not called
    }
    bool const pauses = std::holds_alternative<pause_job>(last);
    request.ending = std::move(last);
    auto const sent = co_await run_.journal.write(std::move(request));
    run_.journal.note_edits(sent->edits());
    if (sent->withdrawn() && pauses) run_.journal.forget_request();
    co_return finished{.ended = !sent->withdrawn(), .next = sent->next()};
}

} // namespace postrider::queue
