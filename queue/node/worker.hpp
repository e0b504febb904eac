#pragma once
// The slots of a node and the jobs that run in them. One coroutine per leased lane: it runs the
// lane's job, and the next one while the outcome commit hands it on.
#include "base/async.hpp"
#include "base/random.hpp"
#include "queue/job.hpp"
#include "queue/node/engine.hpp"
#include "queue/run/step_history.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"

#include <functional>
#include <map>

namespace postrider::queue {

class job_run;

class worker {
public:
    struct services {
        storage::batcher& checkpoints;
        storage::batcher& quick;
        base::clock& clock;
        base::random_source& random;
        int slots;
        std::function<bool()> may_act;
        std::function<void()> slot_freed;   // called when a claim may now succeed
        std::function<void()> lane_ended;   // called when a lane has left its slot
        std::chrono::milliseconds grace{0}; // for a job to come to a step's end when cancelled
        int lost_budget = 0;                // a job that has lost so many runs is not run again
        limiter* limits = nullptr;
    };

    worker(boost::asio::any_io_executor executor, services with);
    ~worker();

    void add(job_kind kind);

    // Reserves up to `wanted` slots and returns how many. A reserved slot is given back by
    // release() or used by start().
    int try_reserve(int wanted);
    void release(int slots);
    // Runs the lane's job in a reserved slot; without a job it takes the lane's first.
    void start(
        node_id node,
        queue::lease got,
        std::optional<queue::job> job,
        std::optional<control_request> asked = {}
    );
    // Somebody asks something of the job that runs in the lane: finds out what, and sees to it.
    void ask(lease const& which);

    bool runs(lease const& which) const;
    std::vector<lane_id> lanes() const; // that run here
    int free() const noexcept { return free_; }
    int busy() const noexcept { return static_cast<int>(running_.size()); }
    // When the first of the jobs that were parked here since the last call is ready again, if any.
    std::optional<base::steady_time> take_next_ready();

    // Ends runs without another write: their leases are gone, or must be taken for gone.
    void abandon_all();
    // Those that began before `since` (boot clock) and of which `still_ours` is false.
    void abandon_unless(
        std::chrono::nanoseconds since, std::function<bool(lease const&)> const& still_ours
    );

    // Waits for running jobs; after the limit the rest are put back as if their run had not begun.
    base::awaitable<void> drain(base::duration limit);

    engine_counts counts() const;

private:
    // A lane that runs here.
    struct running {
        node_id node{};
        queue::lease lease;
        base::task_group::task_id task{};
        std::chrono::nanoseconds since{0}; // boot clock
        job_run* run = nullptr;            // while its function runs
        job_id job{};
        std::optional<control_request> asked; // of the first job, before its run began
        std::optional<base::task_group::task_id> deadline;
        std::optional<base::task_group::task_id> grace;
    };
    // How a run ended: with an outcome; parked; without its lease; told to stop, by the node or by
    // what was asked of the job; or without code for its version.
    enum class end { over, parked, lost, stopped, asked, unknown };

    base::awaitable<void> run_lane(
        node_id node, queue::lease got, std::optional<queue::job> job, running* self
    );
    base::awaitable<std::optional<queue::job>> lead(
        node_id node, queue::lease got, queue::ending first, job_id job
    );
    base::awaitable<std::optional<queue::job>> gather(
        node_id node, queue::lease const& got, queue::job job, running* self
    );
    base::awaitable<std::optional<queue::job>> run_job(
        node_id node, queue::lease& got, queue::job job, int in_a_row, running* self
    );
    base::awaitable<std::optional<step_history>> read_history(queue::job const& job);
    base::awaitable<end> run_to_end(job_run& run, outcome& how, running* self);
    base::awaitable<end> call(job_run& run, job_function const& what, outcome& how, running* self);
    static end end_of_asked(job_run const& run, outcome& how);
    base::awaitable<std::optional<queue::job>> write_end(
        job_run& run, end which, outcome how, int in_a_row
    );
    base::awaitable<void> add_rows_of_failure(queue::job const& job, outcome& how) const;
    base::awaitable<std::optional<queue::job>> finish(job_run& run, ending how);

    job_function const* code_for(queue::job const& job, outcome& how) const;
    base::awaitable<void> stop_after(
        base::duration delay, lane_id lane, lane_epoch epoch, job_id job, bool expired
    );
    base::awaitable<void> meet(lane_id lane, lane_epoch epoch, job_id job);
    // The lane's entry while the job's function runs.
    running* find(lane_id lane, lane_epoch epoch, job_id job);
    void stop(running& one);

    services services_;
    std::map<std::string, std::map<int, job_kind>, std::less<>> kinds_;
    base::task_group jobs_;
    base::task_group timers_;
    std::map<std::pair<lane_id, lane_epoch>, std::unique_ptr<running>> running_;
    std::optional<base::steady_time> next_ready_;
    base::signal ended_;
    engine_counts counts_;
    int free_ = 0;
    bool draining_ = false;
    bool put_back_ = false; // from now on a stopped run is put back
};

} // namespace postrider::queue
