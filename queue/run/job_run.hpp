#pragma once
// One run of one job: the workflow that its function sees, on top of the record and the checkpoint
// batcher.
#include "base/random.hpp"
#include "queue/run/admission.hpp"
#include "queue/run/order_check.hpp"
#include "queue/run/step_history.hpp"
#include "queue/store/checkpoint.hpp"
#include "queue/workflow.hpp"

#include <functional>
#include <set>

namespace postrider::queue {

// Shorter delays keep the coroutine, longer ones park the job and free the slot.
inline constexpr auto shortest_park_delay = std::chrono::milliseconds{2000};

// What a run needs of its node.
struct run_services {
    storage::batcher& checkpoints;
    base::clock& clock;
    base::random_source& random;
    node_id node{};
    // False once the node must assume that others have taken its lanes.
    std::function<bool()> may_act;
    limiter* limits = nullptr; // none: every gate is open
};

class job_run final : public workflow {
public:
    job_run(run_services services, queue::job job, queue::lease lease, step_history record);

    queue::job const& job() const override { return job_; }
    base::awaitable<step_value> run(std::string name, base::retry_policy policy, step_function work)
        override;
    base::awaitable<void> parallel(std::vector<branch> branches) override;
    base::awaitable<step_value> try_step(
        std::string name, base::retry_policy policy, step_function work
    ) override;
    base::awaitable<base::result<void>> commit(commit_with more) override;
    base::awaitable<step_value> perform(
        std::string key, base::retry_policy policy, step_function work
    ) override;
    base::awaitable<void> sleep(std::string name, std::chrono::milliseconds length) override;
    base::awaitable<void> sleep_until(std::string name, base::sys_time when) override;
    base::awaitable<step_value> wait_for_event(std::string name, awaited_event what) override;
    base::awaitable<base::result<void>> admit(
        std::string resource, std::optional<std::chrono::milliseconds> patience
    ) override;
    bool open(std::string_view resource) const override;
    void on_rollback(std::string name, step_function undo, base::retry_policy policy) override;
    bool recorded(std::string const& name) const override;
    bool planned(std::string const& key) const override { return record_.effects.contains(key); }
    void add(storage::write row) override { held_writes_.push_back(std::move(row)); }
    void start_over() override;

    // From outside, or found by a commit: the run stops at its next step boundary.
    void ask(control_request what);
    void expire() noexcept { expired_ = true; } // the job's deadline has passed
    std::optional<control_request> asked() const noexcept { return asked_; }
    bool expired() const noexcept { return expired_; }
    // An intent stands in the record: the answer is on its way and no newer message stops it.
    bool answered() const noexcept { return !record_.effects.empty(); }

    // The function came to its end by itself. Throws record_mismatch when the record has more.
    void forgo(std::string_view scope) override { order_check_.forgo(scope); }
    void check_replayed() const;
    // The job comes to its stored ending: the function is replayed as far as its record goes.
    bool rolling_back() const noexcept { return !job_.rolling_back.is_null(); }
    bool can_undo() const noexcept { return !undo_.empty(); }
    // Undoes what the function registered, in reverse; returns the ending, which tells what could
    // not be undone. Parks and stops like the function itself.
    base::awaitable<outcome> roll_back(outcome how);

    // The job's last commit: everything held and the ending. Returns the lane's next job, if it was
    // handed on.
    base::awaitable<std::optional<queue::job>> finish(queue::ending how);

    queue::lease const& lease() const noexcept { return lease_; }
    // After suspended was thrown: how long the job is parked.
    std::chrono::milliseconds parked_for() const noexcept { return parked_for_; }

private:
    using bounded_function =
        std::function<base::awaitable<step_value>(std::chrono::milliseconds limit)>;
    struct undo_step {
        std::string name;
        step_function work;
        base::retry_policy policy;
    };

    std::string next_key(std::string const& name);
    int seq_of(step_record const& step);
    void boundary() const; // throws asked_to_stop
    void hold(step_attempt finished);
    void note(step_attempt const& finished); // from now on it is served
    checkpoint_request request();            // with everything held
    base::awaitable<std::shared_ptr<checkpoint>> write(checkpoint_request what);
    base::awaitable<std::shared_ptr<checkpoint>> send(checkpoint_request what);
    void note_written(checkpoint_request const& sent);
    base::awaitable<void> flush(); // a commit of what is held
    base::awaitable<void> leave(park how);

    // What the branches of the outermost parallel() came to so far.
    struct side_by_side {
        explicit side_by_side(base::asio::any_io_executor executor)
            : written(std::move(executor)) {}

        bool writing = false; // one commit at a time
        base::signal written;
        std::exception_ptr failure; // of the outermost: ends them all
        std::optional<park> first;  // of the parked ones, due first
        base::steady_time due;
        bool for_events = false;
    };

    // What those of one parallel() came to.
    struct group {
        bool outermost = false;
        std::exception_ptr failure = {};
        bool parked = false;
    };

    base::awaitable<void> run_branch(branch work, group& of);
    [[noreturn]] void suspend_branch(park how);

    base::awaitable<step_value> attempts(
        std::string key, base::retry_policy policy, bounded_function once
    );
    base::awaitable<void> pause_before_retry(step_attempt failed);
    base::awaitable<void> rest(std::string name, step_attempt asleep);
    base::awaitable<void> rest_on(std::string const& name, std::chrono::milliseconds left);

    base::awaitable<step_value> call_effect(
        std::string key, step_function work, std::chrono::milliseconds limit
    );
    void settle_effect(std::string const& key, step_value const& value);
    void unbegin_effects();
    void close_what_is_open();

    run_services services_;
    queue::job job_;
    queue::lease lease_;
    std::int64_t seen_edits_ = 0;
    std::chrono::milliseconds parked_for_{0};
    step_history record_;
    base::steady_time record_read_;
    queue::order_check order_check_;
    std::map<std::string, int> occurrences_; // of each step name so far
    std::optional<control_request> asked_;
    bool expired_ = false;
    bool undoing_ = false;
    std::vector<undo_step> undo_;
    std::unique_ptr<side_by_side> branches_; // while parallel() runs
    std::set<std::string> admitted_; // places at gates that earlier runs kept and this one has left

    // Held for the next commit.
    std::vector<step_attempt> held_attempts_;
    std::vector<effect_change> held_changes_;
    std::vector<storage::write> held_writes_;
};

} // namespace postrider::queue
