// Due jobs whose lanes somebody else has locked: they wait, and nothing else waits for them.
#include "storage/pg/connection.hpp"
#include "tests/integration/queue/schedules_world.hpp"
#include "tests/support/held_lock.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::due_timers_test {

namespace {

constexpr auto states = "select string_agg(state, ' ' order by job_id) from postrider.job";

// covers: E.13 E.21
TEST(due_timers, of_a_locked_lane_that_fill_more_than_a_page_hold_up_no_other_lane) {
    schedules_world w;
    w.execute("insert into postrider.lane (lane_key) values ('locked'), ('free');"
              "select postrider.enqueue_later('locked', 'note')");
    w.pass(); // the lane has work now
    // All of them are due at one time.
    w.execute("select postrider.enqueue_later('locked', 'note', at => postrider.now()) "
              "from generate_series(1, 501);"
              "select postrider.enqueue_later('free', 'note')");

    held_lock lock{
        w.database.url(),
        "select from postrider.lane_run r join postrider.lane l using (lane_id) "
        "where l.lane_key = 'locked' for update of r"};
    auto const beside = w.pass();
    lock.release();
    auto const afterwards = w.pass();

    EXPECT_EQ(beside.admitted, 1);
    EXPECT_EQ(afterwards.admitted, 501);
    EXPECT_EQ(w.value("select count(*) from postrider.job where state <> 'available'"), "0");
}

// As job_resume has it until it commits: the lane, then the lane's row.
// covers: E.21
TEST(due_timers, do_not_wait_for_the_row_of_another_lane) {
    schedules_world w;
    w.execute("insert into postrider.lane (lane_key) values ('a'), ('b');"
              "select postrider.enqueue_later('a', 'due'), postrider.enqueue_later('b', 'due')");

    held_lock lock{
        w.database.url(),
        "with held as (select lane_id from postrider.lane where lane_key = 'a' for no key update) "
        "select postrider.lane_admit(array[j.job_id], array[j.lane_id], j.job_id, j.job_id) from "
        "postrider.job j join held using "
        "(lane_id)"};
    auto const beside = w.pass();
    lock.release();
    auto const afterwards = w.pass();

    EXPECT_EQ(beside.admitted, 1);
    EXPECT_EQ(afterwards.admitted, 1);
    EXPECT_EQ(w.value(states), "available available");
}

// A bulk resume, for one, changes a lane's row and then sets timers of paused jobs.
// covers: E.21
TEST(due_timers, are_neither_waited_for_nor_locked_while_somebody_has_their_lane) {
    schedules_world w;
    w.execute("insert into postrider.lane (lane_key) values ('a');"
              "select postrider.enqueue_later('a', 'held'), postrider.enqueue_later('a', 'due');"
              "update postrider.job set state = 'paused', paused_at = postrider.now() "
              "where kind = 'held'");

    held_lock lock{
        w.database.url(),
        "select postrider.lane_admit(array[job_id], array[lane_id], job_id, job_id) from "
        "postrider.job where kind = 'held'"};
    auto const admission =
        storage::pg::connect(w.database.options(), storage::pg::purpose::general);
    admission->begin();
    admission->query({"admit", "select postrider.timers_admit(10)"}, {});
    auto const unlocked = w.value("select count(*) from "
                                  "(select from postrider.timer for update skip locked) t");
    auto const beside = w.value(states);
    admission->commit();
    lock.release();
    w.execute("select postrider.timers_admit(10)");

    EXPECT_EQ(unlocked, "1") << "that of the paused job goes";
    EXPECT_EQ(beside, "paused scheduled");
    EXPECT_EQ(w.value(states), "paused available");
    EXPECT_EQ(w.value("select count(*) from postrider.timer"), "0");
}

// covers: E.12 E.13
TEST(due_timers, of_a_job_that_is_held_go_and_come_back_with_it) {
    schedules_world w;
    w.execute("insert into postrider.lane (lane_key) values ('a');"
              "select postrider.enqueue_later('a', 'held');"
              "select postrider.job_pause(job_id) from postrider.job");

    auto const held = w.pass();
    auto const left = w.value("select count(*) from postrider.timer");
    w.execute("select postrider.job_resume(job_id) from postrider.job");
    w.pass();

    EXPECT_EQ(held.admitted, 1);
    EXPECT_EQ(left, "0");
    EXPECT_EQ(w.value(states), "available");
}

} // namespace
} // namespace postrider::tests::due_timers_test
