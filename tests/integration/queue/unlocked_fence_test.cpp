// A commit that was refused for a lock is sent again in a form that waits for none.
#include "queue/store/checkpoint.hpp"
#include "tests/support/held_lock.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::unlocked_fence_test {

namespace {

using namespace std::chrono_literals;
using verdict = queue::checkpoint::verdict;

// Lanes that node 1 leases, each under the epoch 7.
class unlocked_fence : public testing::Test {
protected:
    unlocked_fence() {
        database.execute(
            "insert into postrider.lane_run (lane_id, ready_at, node_id, epoch, arrivals, head) "
            "select n, postrider.now(), 1, 7, 1, 1 from generate_series(1, 2) n"
        );
        storage::batcher_options options;
        options.name = "test";
        batcher = storage::make_batcher(io.executor(), database.options(), options);
    }

    verdict commit(std::int64_t lane, std::int64_t epoch = 7) {
        auto request = std::make_shared<queue::checkpoint_request>();
        request->node = node_id{1};
        request->lease.lane = lane_id{lane};
        request->lease.epoch = lane_epoch{epoch};
        request->unless_locked = true;
        auto sent = std::make_shared<queue::checkpoint>(request);
        io.run(batcher->commit(sent, 5s)).value();
        return sent->result();
    }

    test_database database;
    loop io;
    std::unique_ptr<storage::batcher> batcher;
};

// covers: E.21
TEST_F(unlocked_fence, tells_a_lane_that_is_locked_from_one_that_is_lost) {
    held_lock lock{database.url(), "select from postrider.lane_run where lane_id = 1 for update"};

    EXPECT_EQ(commit(1), verdict::locked);
    EXPECT_EQ(commit(1, 6), verdict::lost);
    EXPECT_EQ(commit(2), verdict::written);
    EXPECT_EQ(commit(2, 6), verdict::lost);
    EXPECT_EQ(commit(3), verdict::lost);
    lock.release();
    EXPECT_EQ(commit(1), verdict::written);
}

} // namespace

} // namespace postrider::tests::unlocked_fence_test
