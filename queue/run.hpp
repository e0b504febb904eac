#pragma once
// One run of one job: the workflow that its function sees, on top of the record and the progress
// batcher.
#include "base/random.hpp"
#include "queue/progress.hpp"
#include "queue/record.hpp"
#include "queue/workflow.hpp"

#include <functional>

namespace postrider::queue {

// What a run needs of its node.
struct run_services {
    storage::batcher& progress;
    base::clock& clock;
    base::random_source& random;
    node_id node{};
    // False once the node must assume that others have taken its lanes.
    std::function<bool()> may_act;
};

class job_run final : public workflow {
public:
    job_run(run_services services, queue::job job, queue::lease lease, job_record record);

    queue::job const& job() const override { return job_; }
    base::awaitable<step_value> run(std::string name, base::retry_policy policy, step_function work)
        override;
    base::awaitable<step_value> try_step(
        std::string name, base::retry_policy policy, step_function work
    ) override;
    base::awaitable<base::result<void>> commit(commit_with more) override;
    base::awaitable<step_value> perform(
        std::string key, base::retry_policy policy, step_function work
    ) override;
    bool recorded(std::string const& name) const override;
    void add(storage::write row) override { held_writes_.push_back(std::move(row)); }
    void refresh_edits() override { lease_.edits = seen_edits_; }

    // The job's last commit: everything held and the ending. Returns the lane's next job, if it was
    // handed on.
    base::awaitable<std::optional<queue::job>> finish(queue::ending how);

    queue::lease const& lease() const noexcept { return lease_; }
    // After suspended was thrown: how long the job is parked.
    std::chrono::milliseconds parked_for() const noexcept { return parked_for_; }

private:
    using bounded_function =
        std::function<base::awaitable<step_value>(std::chrono::milliseconds limit)>;

    std::string next_key(std::string const& name);
    void hold(recorded_try finished);
    progress request(); // with everything held
    base::awaitable<std::shared_ptr<progress>> write(progress what);
    base::awaitable<void> flush(); // a commit of what is held

    base::awaitable<step_value> attempts(
        std::string key, base::retry_policy policy, bounded_function once
    );
    base::awaitable<void> pause_before_retry(recorded_try failed);

    base::awaitable<step_value> call_effect(
        std::string key, step_function work, std::chrono::milliseconds limit
    );
    void settle_effect(std::string const& key, step_value const& value);

    run_services services_;
    queue::job job_;
    queue::lease lease_;
    std::int64_t seen_edits_ = 0;
    std::chrono::milliseconds parked_for_{0};
    job_record record_;
    std::map<std::string, int> occurrences_; // of each step name so far

    // Held for the next commit.
    std::vector<recorded_try> held_tries_;
    std::vector<effect_change> held_changes_;
    std::vector<storage::write> held_writes_;
};

} // namespace postrider::queue
