// Old partitions go whole, what lives stays, and nobody who works meanwhile fails for it.
#include "queue/store/enqueue.hpp"
#include "tests/integration/queue/retention_world.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>

namespace postrider::tests::retention_test {
namespace {

using storage::statement;

// covers: E.16
TEST(retention, drops_an_old_partition_whole) {
    old_jobs w;
    w.add_job(1000, "completed", "100 days");
    w.add_job(1001, "failed", "91 days");

    EXPECT_EQ(w.prune(), "watched 0");
    EXPECT_EQ(w.prune(), "dropped 0 kept 0");

    EXPECT_EQ(w.ids(), "4000002");
    EXPECT_EQ(w.ids("step"), "4000002");
    EXPECT_EQ(w.ids("effect"), "4000002");
    EXPECT_EQ(w.partitions(), "p2000000 p4000000 p6000000 p8000000");
    EXPECT_EQ(w.partitions("step"), "p2000000 p4000000 p6000000 p8000000");
    EXPECT_EQ(w.partitions("effect"), "p2000000 p4000000 p6000000 p8000000");
    EXPECT_EQ(w.database.value("select to_regclass('postrider.job_p0') is null"), "t");
}

TEST(retention, leaves_a_partition_of_which_one_job_is_young) {
    old_jobs w;
    w.add_job(1000, "completed", "100 days");
    w.add_job(1001, "completed", "89 days");

    EXPECT_EQ(w.prune(), "");
    EXPECT_EQ(w.ids(), "1000 1001 4000002");
}

TEST(retention, never_touches_the_partition_of_the_present) {
    old_jobs w;
    w.database.execute("update postrider.job set created_at = created_at - interval '1 year', "
                       "finished_at = finished_at - interval '1 year'");
    for (int act = 0; act < 4; ++act) w.prune(); // the two empty ones before it may go

    EXPECT_EQ(w.partitions(), "p4000000 p6000000 p8000000");
    EXPECT_EQ(w.ids(), "4000002");
}

// covers: E.16
TEST(retention, moves_what_lives_or_ended_lately_with_steps_and_effects) {
    old_jobs w;
    w.add_job(1000, "completed", "100 days");
    w.add_job(1001, "waiting", "100 days");
    w.add_job(1002, "completed", "100 days");
    w.database.execute("update postrider.job set finished_at = postrider.now() - interval '1 day' "
                       "where job_id = 1002");

    w.prune();
    EXPECT_EQ(w.prune(), "dropped 0 kept 2");

    EXPECT_EQ(w.partitions(), "keep_0_2000000 p2000000 p4000000 p6000000 p8000000");
    EXPECT_EQ(w.ids(), "1001 1002 4000002");
    EXPECT_EQ(w.ids("step"), "1001 1002 4000002");
    EXPECT_EQ(w.ids("effect"), "1001 1002 4000002");
    EXPECT_EQ(
        w.database.value("select result #>> '{}' from postrider.step where job_id = 1001"),
        "said 1001"
    );
    // It can be worked with as before: its record grows, and it ends.
    w.database.execute(
        "insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome) "
        "values (1001, 1, postrider.now(), postrider.now(), 1, 'reply', 'done');"
        "update postrider.job set state = 'completed', finished_at = postrider.now() "
        "where job_id = 1001"
    );
    EXPECT_EQ(w.database.value("select count(*) from postrider.step where job_id = 1001"), "2");
}

// covers: E.16
TEST(retention, keeps_a_job_that_comes_to_life_while_its_partition_retires) {
    old_jobs w;
    w.add_job(1000, "failed", "100 days");
    w.add_job(1001, "completed", "100 days");
    EXPECT_EQ(w.prune(), "watched 0");
    // Listed now, but somebody reads, so the swap must wait.
    auto reader = w.session();
    reader->begin();
    reader->query({"read", "select count(*) from postrider.job"}, {});
    EXPECT_EQ(w.prune(), "busy 0");

    w.database.execute("update postrider.job set state = 'available', finished_at = null, "
                       "error_class = null where job_id = 1000");
    reader->commit();
    EXPECT_EQ(w.prune(), "dropped 0 kept 1");

    EXPECT_EQ(w.ids(), "1000 4000002");
    EXPECT_EQ(w.ids("step"), "1000 4000002");
    EXPECT_EQ(w.database.value("select count(*) from postrider.straggler"), "0");
}

TEST(retention, merges_keep_partitions_so_that_one_is_left) {
    old_jobs w;
    w.add_job(1000, "paused", "100 days");
    w.add_job(2000000, "paused", "100 days");
    w.prune();
    w.prune();
    EXPECT_EQ(w.partitions(), "keep_0_2000000 p2000000 p4000000 p6000000 p8000000");
    w.prune();
    EXPECT_EQ(w.prune(), "dropped 2000000 kept 2");

    EXPECT_EQ(w.partitions(), "keep_0_4000000 p4000000 p6000000 p8000000");
    EXPECT_EQ(w.partitions("effect"), "keep_0_4000000 p4000000 p6000000 p8000000");
    EXPECT_EQ(w.ids("effect"), "1000 2000000 4000002");
}

TEST(retention, deletes_what_was_kept_once_it_is_over_and_old) {
    old_jobs w;
    w.add_job(1000, "paused", "300 days");
    w.add_job(1001, "paused", "300 days");
    w.prune();
    w.prune();
    w.database.execute(
        "update postrider.job set state = 'cancelled', paused_at = null, finished_at = "
        "postrider.now() - interval '91 days' where job_id = 1000"
    );

    EXPECT_EQ(w.database.value("select postrider.prune_kept('90 days')"), "1");

    EXPECT_EQ(w.ids(), "1001 4000002");
    EXPECT_EQ(w.ids("step"), "1001 4000002");
    EXPECT_EQ(w.ids("effect"), "1001 4000002");
}

// The session that has locked it may be about to lock what the pruning has locked.
TEST(retention, passes_over_rows_that_somebody_has_locked) {
    old_jobs w;
    w.add_job(1000, "paused", "300 days");
    w.add_job(1001, "paused", "300 days");
    w.prune();
    w.prune();
    w.database.execute(R"(
update postrider.job set state = 'cancelled', paused_at = null, finished_at = postrider.now() - interval '91 days'
where job_id < 2000;
insert into postrider.lane (lane_id, lane_key, created_at) overriding system value
select n, 'lane ' || n, postrider.now() - interval '91 days' from generate_series(8, 9) n;
insert into postrider.budget_day (day, scope, subject) values ('2020-01-01', 'total', ''), ('2020-01-02', 'total', '');
insert into postrider.budget_hold (job_id, run, number, scope, subject, day, until_at, calls, tokens, cost_micro)
select n, '', 1, 'total', '', '2020-01-01', '2020-01-01', 1, 0, 0 from generate_series(1, 2) n)");
    auto const holder = w.session();
    holder->begin();
    holder->script("select from postrider.job where job_id = 1000 for update;"
                   "select from postrider.lane_run where lane_id = 8 for update;"
                   "select from postrider.budget_day where day = '2020-01-01' for update;"
                   "select from postrider.budget_hold where job_id = 1 for update");

    w.database.execute("set lock_timeout = '100ms'; select postrider.prune_kept('90 days');"
                       "select postrider.prune_lanes(0, '90 days');"
                       "select postrider.prune_budgets()");

    EXPECT_EQ(w.ids(), "1000 4000002");
    EXPECT_EQ(w.ids("step"), "1000 4000002");
    EXPECT_EQ(
        w.database.value("select string_agg(lane_id::text, ' ') from postrider.lane_run where "
                         "lane_id >= 8"),
        "8"
    );
    EXPECT_EQ(
        w.database.value("select string_agg(day::text, ' ') from postrider.budget_day"),
        "2020-01-01"
    );
    EXPECT_EQ(w.ids("budget_hold"), "1");
}

TEST(retention, leaves_a_partition_with_too_many_live_jobs_for_later) {
    old_jobs w;
    for (int n = 0; n < 4; ++n) w.add_job(1000 + n, "paused", "100 days");
    EXPECT_EQ(w.prune("90 days", 3), "watched 0");
    EXPECT_EQ(w.prune("90 days", 3), "crowded 0");
    // The next one is looked at meanwhile; it is empty, and as old as the first job after it.
    EXPECT_EQ(w.prune("90 days", 3), "");

    w.database.execute("update postrider.retiring set later_at = postrider.now()");
    EXPECT_EQ(w.prune("90 days", 4), "dropped 0 kept 4");
}

// covers: E.16
TEST(retention, counts_a_job_once_however_often_it_changes_meanwhile) {
    old_jobs w;
    w.add_job(1000, "paused", "100 days");
    w.add_job(1001, "completed", "100 days");
    EXPECT_EQ(w.prune("90 days", 3), "watched 0");
    for (int n = 0; n < 4; ++n)
        w.database.execute("update postrider.job set priority = 3 where job_id = 1000");

    EXPECT_EQ(w.prune("90 days", 3), "dropped 0 kept 1");
}

// covers: E.16
TEST(retention, gives_way_to_a_long_reader_and_holds_nobody_up) {
    old_jobs w;
    w.add_job(1000, "completed", "100 days");
    w.prune();
    auto reader = w.session();
    reader->begin();
    reader->script("set transaction isolation level repeatable read");
    reader->query({"read", "select count(*) from postrider.job"}, {});

    EXPECT_EQ(w.prune(), "busy 0");
    w.add_job(4000003, "completed", "1 hour"); // its locks are given back

    EXPECT_EQ(
        reader->query({"read", "select count(*) from postrider.job"}, {}).front().text(0), "2"
    ) << "the reader still sees what it saw";
    reader->commit();
    EXPECT_EQ(w.prune(), "dropped 0 kept 0");
}

// covers: E.16 E.17
TEST(retention, two_nodes_that_prune_at_once_drop_each_partition_once) {
    old_jobs w;
    w.add_job(1000, "completed", "100 days");
    w.add_job(1001, "paused", "100 days");
    w.add_job(2000001, "completed", "100 days");
    // An act gives way to the other's: until both are dropped, and some more that find nothing.
    auto prune_all = [&](std::atomic<int>& dropped) {
        auto db = w.session();
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        for (int more = 0; more < 10 && std::chrono::steady_clock::now() < deadline;) {
            if (dropped >= 2) ++more;
            auto rows =
                db->query({"prune", "select done from postrider.prune_partitions('90 days')"}, {});
            if (!rows.empty() && rows.front().optional_text(0) == "dropped") ++dropped;
        }
    };
    std::atomic<int> dropped{0};
    std::jthread first([&] { prune_all(dropped); });
    std::jthread second([&] { prune_all(dropped); });
    first.join();
    second.join();

    EXPECT_EQ(dropped, 2);
    EXPECT_EQ(w.ids(), "1001 4000002");
    EXPECT_EQ(w.partitions(), "keep_0_4000000 p4000000 p6000000 p8000000");
}

TEST(retention, deletes_old_events_and_waits_of_jobs_that_are_over_only) {
    old_jobs w;
    w.add_job(4000010, "waiting", "100 days");
    w.database.execute(
        "insert into postrider.event (event_id, lane_id, job_id, type, sent_at) values "
        "(1, 1, 77, 'x', postrider.now() - interval '91 days'),"
        "(2, 1, 4000010, 'x', postrider.now() - interval '91 days'),"
        "(3, 1, null, 'x', postrider.now() - interval '91 days'),"
        "(4, 1, 77, 'x', postrider.now() - interval '89 days');"
        "insert into postrider.wait (job_id, lane_id, since, until_at, key, type) values "
        "(77, 1, postrider.now() - interval '91 days', postrider.now(), 'k', 'x'),"
        "(4000010, 1, postrider.now() - interval '91 days', postrider.now(), 'k', 'x')"
    );

    EXPECT_EQ(w.database.value("select postrider.prune_orphans('90 days')"), "3");

    auto const events = "select string_agg(event_id::text, ' ' order by event_id) from "
                        "postrider.event";
    EXPECT_EQ(w.database.value(events), "2 4");
    EXPECT_EQ(w.database.value("select job_id from postrider.wait"), "4000010");
}

TEST(retention, deletes_old_messages_except_those_of_live_jobs) {
    old_jobs w;
    w.add_job(4000010, "waiting", "100 days");
    w.database.execute(
        "insert into postrider.message (lane_id, job_id, conversation_id, created_at, position, "
        "role, id, content) values "
        "(1, 1000, 1, postrider.now() - interval '31 days', 0, 'user', 'a', 'old'),"
        "(1, 4000002, 1, postrider.now() - interval '29 days', 0, 'user', 'b', 'young'),"
        "(1, 4000010, 1, postrider.now() - interval '31 days', 0, 'user', 'c', 'asked, not "
        "answered')"
    );

    EXPECT_EQ(w.database.value("select postrider.prune_messages('30 days')"), "1");

    EXPECT_EQ(
        w.database.value("select string_agg(id, ' ' order by id) from postrider.message"), "b c"
    );
}

TEST(retention, deletes_old_messages_of_sessions) {
    old_jobs w;
    w.database.execute(
        "insert into postrider.session_message (session, job_id, created_at, position, role, "
        "content) values ('s', 1000, postrider.now() - interval '31 days', 0, 'user', 'old'),"
        "('s', 4000002, postrider.now() - interval '29 days', 0, 'user', 'young')"
    );

    EXPECT_EQ(w.database.value("select postrider.prune_sessions('30 days')"), "1");

    EXPECT_EQ(
        w.database.value("select string_agg(content, ' ') from postrider.session_message"), "young"
    );
}

TEST(retention, forgets_lanes_of_which_nothing_is_kept) {
    old_jobs w;
    w.database.execute(R"(
insert into postrider.lane (lane_key, created_at, paused_at)
select key, postrider.now() - interval '91 days', case key when 'paused' then postrider.now() end
from unnest(array['idle', 'said', 'runs', 'paused', 'chat:1', 'schedule:daily']) key;
insert into postrider.lane (lane_key) values ('young');
insert into postrider.api_conversation (lane_id, user_id, id)
select lane_id, 1, gen_random_uuid() from postrider.lane where lane_key = 'chat:1';
insert into postrider.schedule (name, kind, cron) values ('daily', 'turn', '@daily');
insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, content)
select lane_id, 1000, 1, 0, 'user', 'a', 'old' from postrider.lane where lane_key = 'said';
update postrider.lane_run r set ready_at = postrider.now(), arrivals = 1, head = 1000
from postrider.lane l where l.lane_id = r.lane_id and lane_key = 'runs')");

    EXPECT_EQ(
        w.database.value("select gone || ' ' || last from postrider.prune_lanes(0, '90 days')"),
        "2 0"
    );

    EXPECT_EQ(
        w.database.value("select string_agg(lane_key, ' ' order by lane_key) from postrider.lane"),
        "a paused runs said schedule:daily young"
    );
    EXPECT_EQ(w.database.value("select count(*) from postrider.api_conversation"), "0");
    EXPECT_EQ(
        w.database.value("select count(*) from postrider.lane_run r where not exists (select from "
                         "postrider.lane l where l.lane_id = r.lane_id)"),
        "0"
    );
    EXPECT_EQ(w.database.value("select last from postrider.prune_lanes(0, '90 days', 3)"), "4");
}

// Nobody names such a lane again, so nobody reads what its agent remembers.
TEST(retention, forgets_what_an_execution_said_in_a_lane_of_its_own) {
    old_jobs w;
    w.database.execute(R"(
update postrider.lane set lane_key = 'flow:hook/kept', created_at = postrider.now() - interval '91 days';
insert into postrider.lane (lane_key, created_at)
select key, postrider.now() - interval '91 days'
from unnest(array['flow:hook/over', 'fork:12', 'flow:hook', 'flow:hook:a/b', 'schedule:daily/1']) key;
insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, content)
select lane_id, 1000, 1, 0, 'user', 'a', lane_key from postrider.lane)");

    EXPECT_EQ(w.database.value("select gone from postrider.prune_lanes(0, '90 days')"), "2");

    for (auto const* each : {"lane_key from postrider.lane", "content from postrider.message"})
        EXPECT_EQ(
            w.database.value(
                "select string_agg(name, ' ' order by name collate \"C\") from (select " +
                std::string(each) + ") t(name)"
            ),
            "flow:hook flow:hook/kept flow:hook:a/b schedule:daily/1"
        );
}

TEST(retention, forgets_the_places_at_limits_of_jobs_that_are_over) {
    old_jobs w;
    w.add_job(1000, "failed", "1 day");
    w.add_job(1001, "waiting", "1 day");
    w.database.execute(
        "insert into postrider.bucket_place (job_id, lane_id, since, until_at, reserved, resource) "
        "select n, 1, now() - interval '91 days', now(), false, 'x' from "
        "unnest('{1, 1000, 1001}'::bigint[]) n"
    );
    EXPECT_EQ(w.database.value("select postrider.prune_orphans('90 days')"), "2");
    EXPECT_EQ(w.database.value("select job_id from postrider.bucket_place"), "1001");
}

} // namespace
} // namespace postrider::tests::retention_test
