// No job without a partition.
#include "tests/integration/queue/retention_world.hpp"
#include "tests/integration/queue/world.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace postrider::tests::partitions_test {
namespace {

using namespace std::chrono_literals;

// covers: E.16
TEST(partitions, are_made_ahead_of_a_sequence_that_runs) {
    old_jobs w;
    // A flood has used up what was ahead, to the last partition there is.
    w.database.execute("select setval('postrider.number', 9999000)");
    EXPECT_EQ(w.database.value("select partitions_ahead from postrider.queue_health"), "0");

    EXPECT_EQ(w.database.value("select postrider.make_partitions()"), "2");

    EXPECT_EQ(w.partitions(), "p0 p2000000 p4000000 p6000000 p8000000 p10000000 p12000000");
    EXPECT_EQ(w.partitions("step"), "p0 p2000000 p4000000 p6000000 p8000000 p10000000 p12000000");
    w.add_job(13999999, "completed", "1 second");
    EXPECT_EQ(
        w.database.value("select tableoid::regclass from postrider.job where job_id = 13999999"),
        "job_p12000000"
    );
    auto const indexes = [&](std::string of) {
        return w.database.value("select count(*) from pg_indexes where tablename = '" + of + "'");
    };
    EXPECT_EQ(indexes("job_p12000000"), indexes("job"));
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
    w.database.execute("select setval('postrider.number', 9000000)");
    std::atomic<int> partitions{0};
    auto make = [&] {
        auto db = w.session();
        partitions += static_cast<int>(
            db->query({"make", "select postrider.make_partitions()"}, {}).front().int64(0)
        );
    };
    std::vector<std::jthread> nodes;
    for (int n = 0; n < 4; ++n) nodes.emplace_back(make);
    for (auto& node : nodes) node.join();

    EXPECT_EQ(partitions, 2);
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
    EXPECT_EQ(w.database.value("select postrider.turn_partition('96 days')"), "f");
    EXPECT_EQ(w.database.value("select postrider.turn_partition('88 days')"), "t");

    EXPECT_EQ(w.database.value("select nextval('postrider.number')"), "6000000");
    EXPECT_EQ(w.database.value("select postrider.turn_partition('88 days')"), "f")
        << "the new one has no job yet";
    EXPECT_EQ(w.database.value("select postrider.make_partitions()"), "1");
}

// covers: E.16
TEST(partitions, a_busy_server_begins_a_new_one_sooner) {
    old_jobs w;
    w.database.execute("update postrider.job set created_at = postrider.now() - interval '23 days';"
                       "select setval('postrider.number', 5000001)");
    EXPECT_EQ(w.database.value("select postrider.turn_partition('200 days')"), "f");
    EXPECT_EQ(w.database.value("select postrider.turn_partition('180 days')"), "t");
    EXPECT_EQ(w.database.value("select nextval('postrider.number')"), "6000000");
}

TEST(partitions, grow_where_one_was_filled_and_shrink_where_little_of_it_was_used) {
    old_jobs w;
    auto const sizes = [&] {
        return w.database.value(
            "select string_agg(((high - low) / 1000000)::text, ' ' order by low) "
            "from postrider.partitions()"
        );
    };
    w.add_job(5999999, "completed", "1 hour");
    w.database.execute("select setval('postrider.number', 6000001);"
                       "select postrider.make_partitions()");
    EXPECT_EQ(sizes(), "2 2 2 2 2 4");

    // Numbers that ran past all partitions.
    w.database.execute("select setval('postrider.number', 14000001);"
                       "select postrider.make_partitions()");
    EXPECT_EQ(sizes(), "2 2 2 2 2 4 8 8 8");

    w.add_job(14000002, "completed", "1 hour");
    w.database.execute("select setval('postrider.number', 22000001);"
                       "select postrider.make_partitions()");
    EXPECT_EQ(sizes(), "2 2 2 2 2 4 8 8 8 4");
}

// covers: E.16
TEST(partitions, are_few_whatever_the_load_was) {
    old_jobs w;
    // A year of steps of twelve hours, at the numbers per second of a small server, of a large one and of
    // a flood. What is drawn within a step comes in parts that fit into what is ahead.
    w.database.execute("create table seen (alive bigint); truncate postrider.job");
    w.database.execute(R"(
create or replace function postrider.now() returns timestamptz language sql stable parallel safe as
$$ select statement_timestamp() + coalesce(nullif(current_setting('postrider_test.offset', true), '')::interval, '0') $$)"
    );
    auto const steps = [&](int from, int to) {
        w.database.execute(
            "set postrider_test.first = " + std::to_string(from) +
            "; set postrider_test.last = " + std::to_string(to) + R"(;
do $$
declare
    rate bigint;
    left_to_draw bigint;
    part bigint;
begin
    for step in current_setting('postrider_test.first')::int .. current_setting('postrider_test.last')::int loop
        perform set_config('postrider_test.offset', step * 12 || ' hours', false);
        rate := case when step < 100 then 1 when step < 300 then 40
                     when step % 20 < 2 then 5600 when step < 600 then 200 else 1 end;
        left_to_draw := rate * 12 * 3600;
        while left_to_draw > 0 loop
            perform postrider.make_partitions();
            select least(left_to_draw, p.high - n.last_value) into part
            from postrider.number n join postrider.partitions() p on n.last_value >= p.low and n.last_value < p.high;
            perform setval('postrider.number', n.last_value + part) from postrider.number n;
            left_to_draw := left_to_draw - part;
            insert into postrider.job (job_id, lane_id, conversation_id, arrival, finished_at, state, kind)
            select n.last_value - 1, 1, 1, 1, postrider.now(), 'completed', 'turn' from postrider.number n;
        end loop;
        perform postrider.make_partitions();
        perform postrider.turn_partition('90 days');
        for act in 1 .. 4 loop perform postrider.prune_partitions('90 days'); end loop;
        insert into seen select count(*) from postrider.partitions();
    end loop;
end $$)"
        );
    };
    for (int from = 0; from < 730; from += 73) steps(from, from + 72);

    EXPECT_LE(std::stoi(w.database.value("select max(alive) from seen")), 64);
    EXPECT_EQ(
        w.database.value(
            "select min(created_at) < postrider.now() + interval '240 days' from postrider.job"
        ),
        "f"
    );
}

TEST(partitions, numbers_only_ascend_while_a_partition_turns) {
    old_jobs w;
    w.database.execute("update postrider.job set created_at = postrider.now() - interval '23 days'"
    );
    std::vector<std::int64_t> drawn;
    std::jthread drawing([&](std::stop_token const& over) {
        auto db = w.session();
        while (!over.stop_requested())
            drawn.push_back(
                db->query({"draw", "select nextval('postrider.number')"}, {}).front().int64(0)
            );
    });
    auto turn = w.session();
    bool turned = false;
    for (int n = 0; n < 100 && !turned; ++n)
        turned = turn->query({"turn", "select postrider.turn_partition('4 days')"}, {})
                     .front()
                     .boolean(0);
    drawing.request_stop();
    drawing.join();

    EXPECT_TRUE(turned);
    EXPECT_TRUE(std::ranges::is_sorted(drawn, std::less_equal{}));
}

} // namespace
} // namespace postrider::tests::partitions_test
