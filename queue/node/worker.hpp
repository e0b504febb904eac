#pragma once
// The slots of a node and the jobs that run in them. One coroutine per leased lane: it runs the
// lane's job, and the next one while the outcome commit hands it on.
#include "base/async.hpp"
#include "base/outage.hpp"
#include "base/random.hpp"
#include "queue/job.hpp"
#include "queue/node/engine.hpp"
#include "queue/run/settlement.hpp"
#include "queue/run/step_history.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"

#include <functional>
#include <map>

namespace postrider::queue {

class job_run;
struct last_commit;

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
        std::function<void()> job_ended;    // called when a job has left its slot, or its lane
        std::chrono::milliseconds grace{0}; // for the effect of a cancelled job to end
        int lost_budget = 0;                // a job that has lost so many runs is not run again
        limiter* limits = nullptr;
        engine_measures* measures = nullptr;
    };

    worker(boost::asio::any_io_executor executor, services dependencies);
    ~worker();

    void add(job_kind kind);

    // Reserves up to `most` slots and returns how many. A reserved slot is given back by
    // release() or used by start().
    int try_reserve(int most);
    void release(int slots);
    // Runs the lane's job in a reserved slot; without a job it takes the lane's first.
    void start(
        node_id node,
        queue::lease lease,
        std::optional<queue::job> job,
        std::optional<control_request> control = {}
    );
    // The job that runs in the lane was asked to do something: reads the request and handles it.
    void ask(lease const& lease);

    bool runs(lease const& lease) const;
    // The same, and its job is that one or has yet to begin.
    bool runs(lease const& lease, job_id job) const;
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
        bool stopped = false;              // this function, by stop()
        job_id job{};
        std::optional<control_request> asked; // of the first job, before its run began
        std::optional<base::task_group::task_id> deadline;
        std::optional<base::task_group::task_id> grace;
    };
    struct job_code {
        job_kind const* kind = nullptr; // of the job's own version
        base::error missing;            // why there is none
        bool elsewhere = false;         // another node may have it
    };
    struct written_end {
        std::optional<queue::job> job = {}; // the lane's next
        std::optional<job_state> settled_as = {};
        std::optional<degradation> degraded = {};
        std::string_view outcome = {}; // as engine_measures has it
    };

    base::awaitable<void> run_lane(
        node_id node, queue::lease lease, std::optional<queue::job> job, running* self
    );
    base::awaitable<std::optional<queue::job>> advance_lane(
        node_id node, queue::lease lease, queue::ending first, job_id job
    );
    base::awaitable<std::optional<queue::job>> coalesce(
        node_id node, queue::lease const& lease, queue::job job, running* self
    );
    base::awaitable<std::optional<queue::job>> run_job(
        node_id node, queue::lease& lease, queue::job job, int in_a_row, running* self
    );
    base::awaitable<std::optional<step_history>> read_history(queue::job const& job);
    job_code code_for(queue::job const& job) const;
    base::awaitable<ended_run> run_function(job_run& run, running* self);
    base::awaitable<ended_run> call(job_run& run, job_function const& function, running* self);
    base::awaitable<ended_run> roll_back(job_run& run, outcome planned, running* self);
    ended_run facts(job_run const& run, ended_run ended) const;
    ended_run leave_to_others(job_run const& run, base::error reason);
    base::awaitable<written_end> write_end(
        job_run& run, ended_run ended, settlement decided, int in_a_row
    );
    base::awaitable<std::optional<last_commit>> commit_decided(
        job_run& run, settlement decided, failure_function const* failed, int in_a_row
    );
    void note_parked(job_run const& run);
    void count_settled(job_state as, std::optional<degradation> const& degraded);
    void note_left(job_run const& run, std::string const& reason);
    void stop_timers(running& lane);

    base::awaitable<void> stop_after(
        base::duration delay, lane_id lane, lane_epoch epoch, job_id job, bool expired
    );
    base::awaitable<void> handle_request(lane_id lane, lane_epoch epoch, job_id job);
    // The lane's entry while the job's function runs.
    running* find(lane_id lane, lane_epoch epoch, job_id job);
    void stop(running& lane);

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
    base::outage left_;                // to other nodes; never over
    std::map<job_id, int> times_left_; // in a row, of those left last
    bool releases_ = false;            // from now on a stopped run is put back
};

} // namespace postrider::queue
