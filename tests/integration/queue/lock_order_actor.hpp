#pragma once
// One process that does what locks rows, an operation at a time, from a thread of its own: what
// arrivals, workers, people and the upkeep do, through the product's own statements and units.
#include "queue/admin/operations.hpp"
#include "queue/node/claim.hpp"
#include "queue/node/node_store.hpp"
#include "queue/node/scheduler.hpp"
#include "queue/store/checkpoint.hpp"
#include "storage/connections.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace postrider::tests {

// The lanes of the first kind have a row in lane_run at first, those of the second only jobs for
// later. Of the last two nothing is kept at first: they may be pruned.
inline constexpr unsigned lanes_with_row = 6;
inline constexpr unsigned lanes_with_jobs = lanes_with_row + 2;
inline constexpr unsigned lanes = lanes_with_jobs + 2;

inline std::string lane_key(unsigned number) {
    return "schedule:" + std::to_string(number % lanes);
}

// How a worker leaves the jobs that it has claimed.
enum class work_ending {
    release,
    park,
    await_event,
    coalesce,
    settle,
    fail,           // with a job that follows, in a lane that this commit makes
    pause,          // a person asks for it meanwhile
    begin_rollback, // then the run ends, and the next one would go on with it
};

class lock_order_actor {
public:
    // The name tells its reservations from the other actor's.
    lock_order_actor(test_database const& database, std::string name, unsigned seed);
    ~lock_order_actor() { all_.close(); }

    unsigned random() { return static_cast<unsigned>(random_()); }

    // The text outlives the actor, whose session keeps it as a prepared statement.
    void run(std::string_view sql, std::vector<storage::param> const& parameters = {});

    // Several jobs in lanes that the batch itself must bring in order.
    void deliver();
    // The turns of several updates by one statement; some of them were seen before.
    void deliver_turns();
    void edit();
    void enqueue_later();
    // Some lanes, told how they take their messages from now on.
    void ensure_lanes();
    // The next conversation of a lane, behind a turn that ends the one before.
    void open_conversation();
    // The lease by which a bot is polled, taken and given back.
    void hold_poll();
    // A message that stands in the history is sent or another one is, or one is changed.
    void say_in_conversation();
    void run_schedules() { (void)io_.run(scheduler_.run_due(), patience); }
    // Takes lanes as a node that is gone has left them, then rescues them.
    void rescue();
    // Claims some lanes and commits this ending of their jobs, several in one transaction; then
    // gives back whatever still runs.
    void work(work_ending ending);
    // One operation on the newest jobs.
    void operate(queue::operation operation);
    void reserve() { reserve(job_id{random() % 100}, ++reservations_); }
    // A version of the flow with its schedule, or the flow archived and that removed.
    void publish();
    void archive();
    // What `postrider erase` does last.
    void erase();
    void change_tasks();
    void migrate_chats();
    // As a node does that stops, and starts again.
    void leave();
    // What the maintenance does to partitions: begins the next one, and drops the oldest.
    void change_partitions();
    // The next of the functions that delete what is old.
    void prune();

    static constexpr auto patience = std::chrono::seconds{20};

    loop& io() noexcept { return io_; }
    storage::connections& connections() noexcept { return all_; }
    // Keeps why it was refused, unless a lock did it, or what it was for is gone.
    void note(base::result<void> const& outcome);

    std::set<std::string> refused;

private:
    lane_id lane() { return lane_id{1 + random() % lanes}; }
    void in_transaction(std::function<void(storage::transaction&)> const& work);
    void write_apart(storage::write const& write);
    void reserve(job_id job, int number);
    void ask_to_pause(std::vector<queue::claimed_lane> const& claimed);

    using shared_request = std::shared_ptr<queue::checkpoint_request>;
    shared_request request_for(queue::claimed_lane const& claimed);
    void end_as(work_ending ending, queue::checkpoint_request& request);
    // All at once. The job that each lane runs afterwards, if it runs one.
    std::vector<job_id> commit(std::vector<shared_request> const& requests);
    static base::awaitable<void> commit_into(
        storage::batcher& to,
        std::shared_ptr<storage::unit> unit,
        std::vector<base::result<void>>* outcomes
    );

    loop io_;
    std::mt19937 random_;
    std::string name_;
    storage::connections all_;
    queue::node_identity identity_ = queue::this_process("test");
    queue::node_store store_;
    queue::scheduler scheduler_;
    node_id me_{};
    int reservations_ = 0;
    std::size_t pruned_ = 0;
    unsigned said_ = 0;
};

} // namespace postrider::tests
