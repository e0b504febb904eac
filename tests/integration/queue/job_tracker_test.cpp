// What changes is found by looks at a real Postgres, in whatever order it is committed.
#include "queue/admin/job_tracker.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::job_tracker_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class tracked_jobs : public testing::Test {
protected:
    tracked_jobs() {
        database.execute("insert into postrider.lane (lane_id, lane_key) overriding system value "
                         "values (1, 'a'), (2, 'b')");
    }

    static std::string insertion(std::string const& id, std::string const& series) {
        return "insert into postrider.job (job_id, lane_id, conversation_id, state, kind, input, "
               "arrival) select " +
               id + ", 1, 1, 'available', 'turn', '{\"flow\": \"assistant\"}', 1 from " + series +
               " n";
    }
    void add(std::string const& ids) const { database.execute(insertion("n", ids)); }
    // Their ids as the engine draws them.
    static std::string drawing(int count) {
        return insertion(
            "nextval('postrider.number')", "generate_series(1, " + std::to_string(count) + ")"
        );
    }
    void draw(int count) const { database.execute(drawing(count)); }
    // A burst of lane 1 that waits: its first live job.
    void make_busy(std::string const& head) const {
        database.execute(
            "update postrider.lane_run set ready_at = postrider.now(), arrivals = 1, head = " +
            head + " where lane_id = 1"
        );
    }
    void finish(std::string const& condition) const {
        database.execute(
            "update postrider.job set state = 'completed', run_no = 1, "
            "started_at = created_at, finished_at = postrider.now() where " +
            condition
        );
    }
    std::vector<queue::job_change> look() {
        auto const query = tracker.next();
        queue::job_look found;
        storage::run_blocking(database.options(), [&](storage::transaction& tx) {
            found = queue::look_at_jobs(tx, query);
        }).value();
        clock.advance(1s);
        return tracker.add(std::move(found), clock.steady());
    }
    std::vector<std::string> told() {
        std::vector<std::string> all;
        for (auto const& change : look())
            all.push_back(std::to_string(change.job.id) + " " + change.job.state);
        return all;
    }

    test_database database;
    base::manual_clock clock;
    queue::job_tracker tracker;
};

TEST_F(tracked_jobs, are_told_as_they_come_and_change_once_each) {
    add("generate_series(1, 2)");
    make_busy("1");
    EXPECT_THAT(told(), IsEmpty()) << "they were there before";

    add("generate_series(3, 4)");
    auto const created = look();
    ASSERT_EQ(created.size(), 2u);
    EXPECT_EQ(created[0].job.id, 3);
    EXPECT_TRUE(created[0].is_new);
    EXPECT_EQ(created[0].flow, "assistant");
    EXPECT_THAT(told(), IsEmpty());

    finish("job_id in (1, 4)");
    auto const ended = look();
    ASSERT_EQ(ended.size(), 2u);
    EXPECT_EQ(ended[0].job.id, 1);
    EXPECT_EQ(ended[0].before->state, "available");
    EXPECT_FALSE(ended[0].is_new);
    EXPECT_EQ(ended[1].job.id, 4);
    EXPECT_EQ(ended[1].before->state, "available");
    EXPECT_THAT(told(), IsEmpty());
}

TEST_F(tracked_jobs, are_told_once_though_they_changed_twice_between_two_looks) {
    told();
    add("generate_series(1, 1)");
    finish("job_id = 1");

    EXPECT_THAT(told(), ElementsAre("1 completed"));
}

TEST_F(tracked_jobs, are_not_told_again_where_only_their_row_was_written) {
    told();
    add("generate_series(1, 1)");
    EXPECT_THAT(told(), ElementsAre("1 available"));

    database.execute("update postrider.job set wait_reason = 'the same to everybody'");

    EXPECT_THAT(told(), IsEmpty());
}

// Their transaction began before a look and ends behind it.
TEST_F(tracked_jobs, of_a_late_commit_are_told_however_many_looks_it_outlasts) {
    told();
    storage::run_blocking(database.options(), [&](storage::transaction& tx) {
        tx.script(drawing(1));
        for (int i = 0; i < 30; ++i) {
            draw(100);
            EXPECT_EQ(look().size(), 100u);
            tx.script("select"); // an idle transaction would be ended
        }
    }).value();

    EXPECT_EQ(look().size(), 1u);
    EXPECT_THAT(told(), IsEmpty());
}

TEST_F(tracked_jobs, that_changed_by_a_late_commit_are_told_behind_it) {
    add("generate_series(1, 1)");
    make_busy("1");
    told();
    storage::run_blocking(database.options(), [&](storage::transaction& tx) {
        tx.script("update postrider.job set priority = 0 where job_id = 1");
        EXPECT_THAT(told(), IsEmpty());
    }).value();

    auto const changes = look();
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].job.priority, 0);
}

// A job of long ago that nobody follows.
TEST_F(tracked_jobs, of_long_ago_are_told_where_a_person_operates_on_them) {
    add("generate_series(1, 1)");
    database.execute("update postrider.job set state = 'failed', run_no = 1, error_class = "
                     "'internal', error = 'e', "
                     "started_at = created_at, finished_at = postrider.now()");
    database.execute("select setval('postrider.number', 1000000)");
    EXPECT_THAT(told(), IsEmpty());

    database.execute("select postrider.job_retry(1, null)");

    auto const changes = look();
    ASSERT_EQ(changes.size(), 1u);
    EXPECT_EQ(changes[0].job.state, "available");
    EXPECT_FALSE(changes[0].is_new);
    EXPECT_EQ(changes[0].before, std::nullopt);
}

TEST_F(tracked_jobs, of_long_ago_are_told_where_a_node_leases_their_lane) {
    database.execute("select setval('postrider.number', 1000000)");
    add("generate_series(1, 1)");
    told();
    database.execute("update postrider.lane_run set ready_at = postrider.now(), arrivals = 1, "
                     "head = 1, node_id = 7, epoch = 5 where lane_id = 1");

    database.execute("update postrider.job set state = 'running', run_no = 1, "
                     "started_at = postrider.now() where job_id = 1");

    EXPECT_THAT(told(), ElementsAre("1 running"));
}

// More than one look compares, and more than one look reads.
TEST_F(tracked_jobs, that_wait_are_all_compared_in_turn) {
    database.execute("insert into postrider.lane (lane_id, lane_key) overriding system value "
                     "select n, 'l' || n from generate_series(10, 1809) n");
    database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, state, kind, "
        "arrival) select n, n, 1, 'available', 'turn', 1 from generate_series(10, 1809) n"
    );
    database.execute("update postrider.lane_run set ready_at = postrider.now(), arrivals = 1, "
                     "head = lane_id where lane_id >= 10");
    database.execute("select setval('postrider.number', 1000000)");
    told();
    EXPECT_EQ(tracker.followed(), 1800u);

    finish("job_id in (10, 1500, 1809)");

    std::vector<std::string> all;
    for (int i = 0; i < 3; ++i)
        for (auto& each : told()) all.push_back(std::move(each));
    EXPECT_THAT(
        all, testing::UnorderedElementsAre("10 completed", "1500 completed", "1809 completed")
    );
}

TEST_F(tracked_jobs, that_come_by_thousands_are_read_over_several_looks) {
    told();
    draw(2500);

    std::size_t count = 0;
    for (int i = 0; i < 3; ++i) count += look().size();

    EXPECT_EQ(count, 2500u);
    EXPECT_THAT(told(), IsEmpty());
}

TEST_F(tracked_jobs, that_are_over_are_forgotten) {
    told();
    for (int i = 0; i < 5; ++i) {
        draw(100);
        finish("finished_at is null");
        look();
    }
    // Whatever else writes in this cluster keeps them a while.
    for (int i = 0; i < 2000 && tracker.followed() > 100; ++i) look();

    EXPECT_LE(tracker.followed(), 100u);
}

} // namespace
} // namespace postrider::tests::job_tracker_test
