#pragma once
// A database of its own and as many engines on it as a test wants, all on one loop.
#include "queue/node/engine.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace postrider::tests {

// One process' share: its connections and its engine.
struct node {
    node(boost::asio::any_io_executor executor, std::string url, queue::engine_options options);

    std::unique_ptr<storage::batcher> intake;
    std::unique_ptr<storage::batcher> checkpoints;
    std::unique_ptr<storage::batcher> quick;
    std::unique_ptr<storage::batcher> beats;
    std::unique_ptr<storage::database> db;
    std::unique_ptr<queue::limiter> limits;
    queue::engine_measures measures;
    std::unique_ptr<queue::engine> engine;
};

class world {
public:
    world();
    ~world();
    // Drains the engines: no job runs any more.
    void stop();

    // A started node with these kinds. Falls silent after 60 s.
    node& start_node(
        std::vector<queue::job_kind> kinds,
        int slots = 16,
        base::duration heartbeat = std::chrono::milliseconds{50}
    );
    // One that never beats after its start, and looks for jobs only when it is woken.
    node& start_zombie(std::vector<queue::job_kind> kinds);

    lane_id make_lane(std::string key);
    // Through the node's intake batcher; insert-as-claimed when the node has a free slot.
    queue::enqueued enqueue(
        node& by, lane_id lane, std::string kind, boost::json::value input = nullptr
    );
    queue::enqueued enqueue(node& by, queue::new_job wanted);
    // Returns what the others throw.
    base::result<queue::enqueued> try_enqueue(node& by, queue::new_job wanted);
    base::awaitable<queue::enqueued> enqueue_async(
        node& by, lane_id lane, std::string kind, boost::json::value input
    );
    base::awaitable<queue::enqueued> enqueue_async(node& by, queue::new_job wanted);

    std::string const& url() const { return database_.url(); }
    // One value of one row, as text; "" for null or no row.
    std::string value(std::string sql);
    void execute(std::string sql);
    // On a connection of its own; any thread. The first throws what the second returns.
    void in_transaction(std::function<void(storage::transaction&)> work);
    base::result<void> try_in_transaction(std::function<void(storage::transaction&)> work);
    // Runs the loop until the query gives the value; throws when it does not in time.
    void until(
        std::string sql, std::string wanted, base::duration limit = std::chrono::seconds{15}
    );
    void until(std::function<bool()> condition, base::duration limit = std::chrono::seconds{15});

    // Moves every stored time to come (sleeps, retries, waits, deadlines) nearer, and wakes the
    // nodes.
    void pass(std::string interval);

    // Makes the database believe that the node that joined first has been silent for an hour. With
    // a `zombie` it stays so: that one never beats again, but its jobs go on not knowing.
    void silence_oldest();

    loop io;
    // Of nodes that are started from now on: a suspect is tried for an hour, by a node of any age, and
    // an effect of a cancelled job has 50 ms to end.
    queue::engine_options defaults;

private:
    node& start(std::vector<queue::job_kind> kinds, int slots, base::duration heartbeat);
    base::awaitable<base::result<queue::enqueued>> store(node& by, queue::new_job wanted);
    base::awaitable<void> poll(std::function<bool()> condition);

    test_database database_;
    std::vector<std::unique_ptr<node>> nodes_;
    bool stopped_ = false;
};

// A job may still end its last lines when the database has its outcome: the engines stop while what
// jobs use, the other members of a fixture, is there.
class engine_fixture : public testing::Test {
protected:
    void TearDown() override { w.stop(); }

    world w;
};

} // namespace postrider::tests
