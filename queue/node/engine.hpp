#pragma once
// The durable engine of one process: a node that leases lanes and runs their jobs.
//
// Guarantees: at most one running job per lane among all nodes; every write of a job stands behind
// the fence (node + lane epoch); a process that dies, hangs or loses the database loses its lanes
// to others once its last heartbeat is `silence` old, at the next heartbeat of one of them, and one
// that cannot renew its lease acts no more after two thirds of `silence`. A shutdown costs no job a
// run. All members are used on the executor's thread.
#include "base/async.hpp"
#include "base/random.hpp"
#include "queue/engine_measures.hpp"
#include "queue/limits/limits.hpp"
#include "queue/store/enqueue.hpp"
#include "queue/store/poll.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace postrider::queue {

struct engine_options {
    int slots = 256; // jobs in flight
    std::string version;
    base::duration heartbeat = std::chrono::seconds{2};
    base::duration silence = std::chrono::seconds{8};
    // A job that was in flight when its process died is a suspect. Among suspects it runs alone on
    // its node, at first for `trial` at most, four times as long after each further death. If the
    // process dies while it is alone, it has lost a run, and the next try is for a node that has
    // lived for `min_node_age` (six times that from the second lost run on). After lost_budget lost
    // runs it fails.
    int lost_budget = 3;
    std::chrono::milliseconds trial = std::chrono::seconds{1};
    std::chrono::milliseconds min_node_age = std::chrono::seconds{10};
    // A cancelled job is cut off at once in a step. Its effect under way, and any step of a job that is
    // to be rolled back, has so long to end; then it is cut off too.
    std::chrono::milliseconds cancel_grace = std::chrono::seconds{5};
    // How often it looks for what nobody has told it: while there is work, and while there is none.
    base::duration shortest_poll = std::chrono::milliseconds{20};
    base::duration longest_poll = std::chrono::seconds{1};
    base::duration idle_poll = std::chrono::seconds{5};
    // A job that cannot run here is for the other nodes alone so long, once it is ready again: until
    // each of them has looked.
    std::chrono::milliseconds others_first = std::chrono::seconds{10};
};

// All of them outlive the engine.
struct engine_services {
    storage::batcher& checkpoints; // transactions of running jobs, and nothing else
    storage::batcher& quick;       // claims, records, limits
    storage::batcher& beats;       // joining, the heartbeat, and what it clears of suspicion
    storage::database& db;
    base::clock& clock;
    base::random_source& random;
    limiter* limits = nullptr;         // none: every gate is open
    std::function<void()> beaten = {}; // after joining and every heartbeat: the database answers
    engine_measures* measures = nullptr;
};

struct engine_counts {
    int slots = 0;
    int busy = 0;              // jobs that run
    int free = 0;              // slots without a job, and not reserved for one on its way either
    std::uint64_t started = 0; // runs of jobs
    // How they ended. One that is put back, paused or withdrawn is none of these.
    std::uint64_t completed = 0;
    // Of the completed ones, those without what was asked for: in all, and by reason.
    std::uint64_t degraded = 0;
    std::map<std::string, std::uint64_t, std::less<>> degraded_by = {};
    std::uint64_t failed = 0;
    std::uint64_t cancelled = 0;
    std::uint64_t parked = 0;
    std::uint64_t lost = 0;    // runs that ended because their lease was gone
    std::uint64_t rescued = 0; // lanes taken from dead nodes
};

class engine {
public:
    virtual ~engine() = default;

    // Before start(). A job of a kind that no node knows fails.
    virtual void add(job_kind kind) = 0;

    // Before start(): a statement that is read every longest_poll, or idle_poll (see poll.hpp).
    virtual void add_read(storage::statement const& statement, poll::handler take) = 0;

    // Before start(): what is read with every heartbeat, in its transaction, by a statement that
    // waits for no lock. `take` is called before alive() tells of that heartbeat.
    virtual void add_beat_read(storage::write read, poll::handler take) = 0;

    // Registers the node, rescues dead ones of this machine at once, begins to beat and to claim.
    virtual base::awaitable<base::result<void>> start() = 0;

    // Insert-as-claimed: the node to lease to when a slot could be reserved; the caller then
    // enqueues with it and calls start_leased(), or release() when the lane was not leased or
    // nothing was committed.
    virtual std::optional<node_id> try_reserve() = 0;
    virtual void release() = 0;
    virtual void start_leased(queue::job job, enqueued const& enqueued) = 0;

    // Something became ready that no claim of this node knows of.
    virtual void wake() = 0;
    // Something was asked of a running job, or of all: look now, not at the next heartbeat.
    virtual void beat_now() = 0;

    // Takes no more work, lets running jobs end for at most `limit`, puts the rest back unharmed,
    // leaves.
    virtual base::awaitable<void> drain(base::duration limit) = 0;

    // Which node this is, once it has started; another one after others have rescued it.
    virtual node_id self() const = 0;

    virtual engine_counts counts() const = 0;
    // True while the heartbeat is fresh enough to act on leases.
    virtual bool alive() const = 0;
};

std::unique_ptr<engine> make_engine(
    boost::asio::any_io_executor executor, engine_services const& services, engine_options options
);

} // namespace postrider::queue
