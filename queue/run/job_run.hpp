#pragma once
// One run of one job: what its function does its steps with, put together of its parts, and what
// the worker asks of it from outside. docs/decisions/0023 and 0024 tell how results are recorded and
// how a run ends. On one executor; it stays where it is.
#include "queue/run/effect_performer.hpp"
#include "queue/run/run_state.hpp"
#include "queue/run/step_runner.hpp"
#include "queue/run/waits.hpp"
#include "queue/run/workflow_environment.hpp"

#include <set>

namespace postrider::queue {

class job_run final : public workflow_environment {
public:
    job_run(run_services services, queue::job job, queue::lease lease, step_history history);

    queue::job const& job() const override { return run_.job; }
    base::awaitable<step_value> try_step(
        std::string name, base::retry_policy policy, step_function work
    ) override;
    base::awaitable<step_value> record_value(std::string name, step_value value) override;
    base::awaitable<base::result<void>> commit(commit_with more) override;
    base::awaitable<void> commit_held() override;
    void spend(std::string const& name, usage const& used) override { steps_.spend(name, used); }
    base::awaitable<step_value> perform(
        std::string key, base::retry_policy policy, step_function work
    ) override;
    base::awaitable<void> sleep(std::string name, sleep_time time) override;
    base::awaitable<step_value> wait_for_event(std::string name, awaited_event event) override;
    base::awaitable<void> parallel(std::vector<branch> branches) override;
    base::awaitable<base::result<void>> admit(
        std::string resource,
        std::optional<std::chrono::milliseconds> patience,
        std::optional<std::chrono::milliseconds> longest_use
    ) override;
    void on_rollback(std::string name, step_function undo, base::retry_policy policy) override;
    bool recorded(std::string const& name) const override { return steps_.recorded(name); }
    bool planned(std::string const& key) const override;
    void in_any_order(std::vector<std::string> names) override {
        steps_.in_any_order(std::move(names));
    }
    void skip_unasked(std::string_view prefix) override { steps_.skip_unasked(prefix); }
    void give_up(std::string_view prefix) override;
    void add(storage::write row) override { run_.journal.hold(std::move(row)); }
    void start_over() override;

    // From outside, or found by a commit: the run stops at its next step boundary.
    void ask(control_request request) { run_.journal.ask(request); }
    void expire() noexcept { run_.expired = true; } // the job's deadline has passed
    std::optional<control_request> asked() const noexcept { return run_.journal.asked(); }
    bool expired() const noexcept { return run_.expired; }
    bool answered() const noexcept { return run_.journal.answered(); }
    // What it did last is an effect: no request comes before it any more.
    bool acted_last() const noexcept { return run_.journal.holds_effect(); }
    // The same, or an effect is under way.
    bool acts() const noexcept { return effects_.is_under_way() || acted_last(); }

    // The function came to its end by itself. Throws record_mismatch when the record has more.
    void check_end() const { steps_.check_end(); }
    bool rolling_back() const noexcept { return run_.rolling_back(); }
    bool can_undo() const noexcept { return !undo_.empty(); }
    bool undoing() const noexcept { return run_.undoing; }
    // Undoes what the function registered, in reverse; returns the ending, which tells what could
    // not be undone. Parks and stops like the function itself.
    base::awaitable<outcome> roll_back(outcome planned);

    // The job's last commit: everything held and the ending.
    struct finished {
        bool ended = true;              // false: checkpoint::withdrawn(), the job still runs
        std::optional<queue::job> next; // the lane's next job, if it was handed on
    };
    base::awaitable<finished> finish(queue::ending last);
    // The database refused something that is held: nothing of it is written but how effects ended.
    void drop_content() { run_.journal.drop_content(); }

    queue::lease const& lease() const noexcept { return run_.journal.lease(); }
    // After suspended was thrown: how long the job is parked.
    std::chrono::milliseconds parked_for() const noexcept { return run_.parked_for; }

private:
    struct undo_step {
        std::string name;
        step_function work;
        base::retry_policy policy;
    };

    // This run, or one before it, has written that it waits for an event.
    bool may_wait() const noexcept;

    run_state run_;
    step_runner steps_;
    effect_performer effects_;
    waits waits_;
    std::vector<undo_step> undo_;
    std::set<std::string> admitted_; // places at gates that earlier runs kept and this one has left
};

} // namespace postrider::queue
