// Due jobs whose lanes somebody else has locked: they wait, and nothing else waits for them.
#include "tests/integration/queue/schedules_world.hpp"
#include "tests/support/held_lock.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace postrider::tests {

namespace {

constexpr auto states = "select string_agg(state, ' ' order by job_id) from postrider.job";

// covers: E.13 E.21
TEST(due_timers, of_a_locked_lane_that_fill_more_than_a_page_hold_up_no_other_lane) {
    schedules_world w;
    w.execute("insert into postrider.lane (lane_key) values ('locked'), ('free');"
              "select postrider.enqueue_later('locked', 'note')");
    w.pass(); // the lane has its row now
    // All of them are due at one time.
    w.execute("select postrider.enqueue_later('locked', 'note', at => postrider.now()) "
              "from generate_series(1, 501);"
              "select postrider.enqueue_later('free', 'note')");

    held_lock lock{w.database.url(), "select from postrider.lane_run for update"};
    auto const beside = w.pass();
    lock.release();
    auto const afterwards = w.pass();

    EXPECT_EQ(beside.admitted, 1);
    EXPECT_EQ(afterwards.admitted, 501);
    EXPECT_EQ(w.value("select count(*) from postrider.job where state <> 'available'"), "0");
}

// As job_resume has it until it commits: the lane, then the lane's new row.
// covers: E.21
TEST(due_timers, do_not_wait_for_the_row_that_somebody_gives_another_lane) {
    schedules_world w;
    w.execute("insert into postrider.lane (lane_key) values ('a'), ('b');"
              "select postrider.enqueue_later('a', 'due'), postrider.enqueue_later('b', 'due')");

    held_lock lock{
        w.database.url(),
        "with held as (select lane_id from postrider.lane where lane_key = 'a' for no key update) "
        "select postrider.lane_admit(j.job_id, j.lane_id) from postrider.job j join held using "
        "(lane_id)"};
    auto const beside = w.pass();
    lock.release();
    auto const afterwards = w.pass();

    EXPECT_EQ(beside.admitted, 1);
    EXPECT_EQ(afterwards.admitted, 1);
    EXPECT_EQ(w.value(states), "available available");
}

// A bulk resume, for one, gives a lane its row and then sets timers of paused jobs.
// covers: E.21
TEST(due_timers, are_not_locked_while_a_lane_is_waited_for) {
    schedules_world w;
    w.execute("insert into postrider.lane (lane_key) values ('a');"
              "select postrider.enqueue_later('a', 'held'), postrider.enqueue_later('a', 'due');"
              "update postrider.job set state = 'paused', paused_at = postrider.now() "
              "where kind = 'held'");

    held_lock lock{
        w.database.url(),
        "select postrider.lane_admit(job_id, lane_id) from postrider.job where kind = 'held'"};
    std::thread admission{[&] { w.execute("select postrider.timers_admit(10)"); }};
    while (w.value("select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock' and "
                   "datname = current_database()") != "t")
        std::this_thread::yield();
    auto const unlocked = w.value("select count(*) from "
                                  "(select from postrider.timer for update skip locked) t");
    lock.release();
    admission.join();

    EXPECT_EQ(unlocked, "2");
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
} // namespace postrider::tests
