// What a watcher of jobs is told, on a real Postgres.
#include "queue/admin/job_feed.hpp"
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

// Ends and steps that come faster than one page or the look back holds, several times between looks.
TEST_F(feed, tells_of_every_end_and_step_of_thousands_of_jobs) {
    poll();
    std::size_t ends = 0;
    std::size_t steps = 0;
    for (int look = 0; look < 3; ++look) {
        auto const first = std::to_string(look * 4000 + 1);
        auto const last = std::to_string(look * 4000 + 4000);
        add("generate_series(" + first + ", " + last + ")");
        if (look == 1) poll(); // half of them are seen as they come, the others when they are over
        database.execute(
            "insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, "
            "result) select j, 0, postrider.now(), postrider.now(), 1, 'a', 'done', '1' "
            "from generate_series(" +
            first + ", " + last +
            ") j;"
            "update postrider.job set state = 'completed', run_no = 1, started_at = created_at, "
            "finished_at = postrider.now() where job_id between " +
            first + " and " + last
        );
        storage::run_blocking(database.options(), [&](storage::transaction& tx) {
            for (auto const& event : jobs.poll(tx)) ++(event.step ? steps : ends);
        }).value();
    }

    EXPECT_EQ(ends, 3u * 4000u);
    EXPECT_EQ(steps, 3u * 4000u);
    EXPECT_TRUE(poll().empty());
}

} // namespace
} // namespace postrider::tests::job_feed_test
