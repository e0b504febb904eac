// No job without a partition.
#include "tests/integration/queue/retention_world.hpp"
#include "tests/integration/queue/world.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace postrider::tests {
namespace {

using namespace std::chrono_literals;

// covers: E.16
TEST(partitions, are_made_ahead_of_a_sequence_that_runs) {
    old_jobs w;
    // A flood has used up what was ahead, to the last partition there is.
    w.database.execute("select setval('postrider.number', 9999000)");
    EXPECT_EQ(w.database.value("select partitions_ahead from postrider.queue_health"), "0");

    EXPECT_EQ(w.database.value("select postrider.make_partitions()"), "2");

    EXPECT_EQ(w.partitions(), "p0 p1 p2 p3 p4 p5 p6");
    EXPECT_EQ(w.partitions("step"), "p0 p1 p2 p3 p4 p5 p6");
    w.add_job(13999999, "completed", "1 second");
    EXPECT_EQ(
        w.database.value("select tableoid::regclass from postrider.job where job_id = 13999999"),
        "job_p6"
    );
    auto const indexes = [&](std::string of) {
        return w.database.value("select count(*) from pg_indexes where tablename = '" + of + "'");
    };
    EXPECT_EQ(indexes("job_p6"), indexes("job"));
}

// covers: E.16
TEST(partitions, are_made_beside_a_reader_who_takes_half_an_hour) {
    old_jobs w;
    auto reader = w.session();
    reader->begin();
    reader->query({"read", "select count(*) from postrider.job, postrider.step"}, {});
    w.database.execute("select setval('postrider.number', 8000000)");

    EXPECT_EQ(w.database.value("select postrider.make_partitions()"), "2");
    w.add_job(8000001, "completed", "1 second");

    reader->commit();
}

TEST(partitions, are_made_once_by_nodes_that_come_together) {
    old_jobs w;
    w.database.execute("select setval('postrider.number', 40000000)");
    std::atomic<int> made{0};
    auto make = [&] {
        auto db = w.session();
        made += static_cast<int>(
            db->query({"make", "select postrider.make_partitions()"}, {}).front().int64(0)
        );
    };
    std::vector<std::thread> nodes;
    for (int n = 0; n < 4; ++n) nodes.emplace_back(make);
    for (auto& one : nodes) one.join();

    EXPECT_EQ(made, 3);
}

TEST(partitions, a_missing_one_is_no_fault_of_the_row) {
    world w;
    auto& node = w.start_node({});
    auto lane = w.make_lane("a");
    w.execute("select setval('postrider.number', 90000000)");
    try {
        w.enqueue(node, lane, "turn");
        ADD_FAILURE() << "there is no partition for it";
    } catch (std::runtime_error const& e) {
        EXPECT_NE(std::string(e.what()).find("unavailable"), std::string::npos) << e.what();
    }

    w.execute("select postrider.make_partitions()");
    w.enqueue(node, lane, "turn");
    EXPECT_EQ(w.value("select count(*) from postrider.job"), "1");
}

// covers: E.16
TEST(partitions, a_quiet_server_begins_a_new_one_after_a_while) {
    old_jobs w;
    w.database.execute("update postrider.job set created_at = postrider.now() - interval '23 days'"
    );
    EXPECT_EQ(w.database.value("select postrider.turn_partition('24 days')"), "f");
    EXPECT_EQ(w.database.value("select postrider.turn_partition('22 days')"), "t");

    EXPECT_EQ(w.database.value("select nextval('postrider.number')"), "6000000");
    EXPECT_EQ(w.database.value("select postrider.turn_partition('22 days')"), "f")
        << "the new one has no job yet";
    EXPECT_EQ(w.database.value("select postrider.make_partitions()"), "1");
}

TEST(partitions, numbers_only_ascend_while_a_partition_turns) {
    old_jobs w;
    w.database.execute("update postrider.job set created_at = postrider.now() - interval '23 days'"
    );
    std::atomic<bool> stop{false};
    std::vector<std::int64_t> drawn;
    std::thread drawing([&] {
        auto db = w.session();
        while (!stop)
            drawn.push_back(
                db->query({"draw", "select nextval('postrider.number')"}, {}).front().int64(0)
            );
    });
    auto turn = w.session();
    bool turned = false;
    for (int n = 0; n < 100 && !turned; ++n)
        turned = turn->query({"turn", "select postrider.turn_partition('1 day')"}, {})
                     .front()
                     .boolean(0);
    stop = true;
    drawing.join();

    EXPECT_TRUE(turned);
    EXPECT_TRUE(std::ranges::is_sorted(drawn, std::less_equal{}));
}

} // namespace
} // namespace postrider::tests
