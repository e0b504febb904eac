// What a watcher of jobs is told, on a real Postgres.
#include "queue/store/job_feed.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::job_feed_test {
namespace {

class feed : public testing::Test {
protected:
    feed() {
        database.execute("insert into postrider.lane (lane_id, lane_key) overriding system value "
                         "values (1, 'a')");
    }

    void add(std::string ids, std::string state = "available") const {
        database.execute(
            "insert into postrider.job (job_id, lane_id, conversation_id, state, kind, input, "
            "arrival) "
            "select n, 1, 1, '" +
            state + "', 'turn', '{}', n from " + ids + " n"
        );
    }
    std::set<std::int64_t> poll() {
        std::set<std::int64_t> told;
        storage::run_blocking(database.options(), [&](storage::transaction& tx) {
            told.clear();
            for (auto const& event : jobs.poll(tx)) told.insert(event.job.id);
        }).value();
        return told;
    }

    test_database database;
    queue::job_feed jobs{{}};
};

TEST_F(feed, tells_of_all_that_came_between_two_looks_however_many) {
    add("generate_series(1, 10)");
    EXPECT_TRUE(poll().empty()) << "they were there before";

    add("generate_series(1001, 6000)");

    EXPECT_EQ(poll().size(), 5000u);
    EXPECT_TRUE(poll().empty());
}

// Its number was drawn before those of the others, and its commit took longer.
TEST_F(feed, tells_of_a_job_that_was_committed_behind_thousands_of_newer_ones) {
    poll();
    add("generate_series(1001, 6000)");
    EXPECT_EQ(poll().size(), 5000u);

    add("generate_series(7, 7)");

    EXPECT_EQ(poll(), std::set<std::int64_t>{7});
}

TEST_F(feed, watches_all_that_lived_before_however_many) {
    add("generate_series(1, 3000)");
    poll();

    database.execute("update postrider.job set state = 'waiting', due_at = 'infinity', run_no = 1, "
                     "started_at = postrider.now() "
                     "where job_id in (1, 1500, 3000)");

    EXPECT_EQ(poll(), (std::set<std::int64_t>{1, 1500, 3000}));
}

} // namespace
} // namespace postrider::tests::job_feed_test
