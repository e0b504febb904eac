// A schedule that cannot be run, beside others that can.
#include "tests/integration/queue/schedules_world.hpp"
#include "tests/support/held_lock.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::failing_schedule_test {

namespace {

using testing::HasSubstr;

constexpr auto runs_by_name =
    "select string_agg(name || ' ' || runs, ', ' order by name) from postrider.schedule";

void add_due_schedules(schedules_world const& w) {
    for (std::string const name : {"a", "b", "c"})
        w.execute(
            "insert into postrider.schedule (name, kind, cron, next_at) values ('" + name +
            "', 'report', '0 0 1 1 *', postrider.now())"
        );
}

// covers: E.21
TEST(schedules, one_that_cannot_run_stops_itself_alone) {
    schedules_world w;
    add_due_schedules(w);
    // Its jobs' deadline is beyond what Postgres can store.
    w.execute("update postrider.schedule set time_limit_ms = 9223372036854775807 where name = 'b'");

    auto const pass = w.pass();

    EXPECT_EQ(pass.runs, 2);
    EXPECT_EQ(w.value(runs_by_name), "a 1, b 0, c 1");
    EXPECT_THAT(
        w.value("select error from postrider.schedule where name = 'b'"), HasSubstr("22008")
    );
    EXPECT_EQ(w.value("select count(*) from postrider.schedule where error is not null"), "1");
    w.execute("update postrider.schedule set next_at = postrider.now()");
    EXPECT_EQ(w.pass().runs, 2) << "it is not looked at again";
}

TEST(schedules, one_of_an_archived_flow_runs_when_that_is_back) {
    schedules_world w;
    add_due_schedules(w);
    w.execute("insert into postrider.flow (name, draft, archived_at) values ('greet', '{}', now())"
    );
    w.execute("update postrider.schedule set input = '{\"flow\": \"greet\"}' where name = 'b'");

    w.pass();

    EXPECT_EQ(w.value(runs_by_name), "a 1, b 0, c 1");
    EXPECT_EQ(w.value("select count(*) from postrider.schedule where error is not null"), "0");
    w.execute("update postrider.flow set archived_at = null");
    w.execute("update postrider.schedule set next_at = postrider.now() where name = 'b'");
    w.pass();
    EXPECT_EQ(w.value(runs_by_name), "a 1, b 1, c 1");
}

TEST(schedules, one_with_an_unknown_policy_for_missed_times_stops_itself_alone) {
    schedules_world w;
    add_due_schedules(w);
    w.execute("alter table postrider.schedule drop constraint schedule_missed_check");
    w.execute("update postrider.schedule set missed = 'later' where name = 'b'");

    auto const pass = w.pass();

    EXPECT_EQ(pass.runs, 2);
    EXPECT_EQ(w.value(runs_by_name), "a 1, b 0, c 1");
    EXPECT_EQ(
        w.value("select error from postrider.schedule where error is not null"),
        "no policy for missed times: later"
    );
}

// covers: E.21
TEST(schedules, one_whose_lane_is_locked_is_put_off_alone) {
    schedules_world w;
    add_due_schedules(w);
    w.execute("insert into postrider.lane (lane_key) values ('schedule:b')");

    held_lock lock{
        w.database.url(), "select from postrider.lane where lane_key = 'schedule:b' for update"};
    auto const pass = w.pass();

    EXPECT_EQ(pass.runs, 2);
    EXPECT_EQ(pass.put_off, 1) << "the loop comes back to it";
    EXPECT_EQ(w.value(runs_by_name), "a 1, b 0, c 1");
    EXPECT_EQ(w.value("select count(*) from postrider.schedule where error is not null"), "0");
    lock.release();
    EXPECT_EQ(w.pass().runs, 1);
    EXPECT_EQ(w.value(runs_by_name), "a 1, b 1, c 1");
}

// covers: E.21
TEST(schedules, more_locked_rows_than_a_page_do_not_hold_up_one_that_is_due_later) {
    schedules_world w;
    w.execute("insert into postrider.schedule (name, kind, cron, next_at) "
              "select 'locked ' || n, 'report', '0 0 1 1 *', postrider.now() - interval '1 second' "
              "from generate_series(1, 60) n");
    add_due_schedules(w);
    // Without a row that fails, all that is due runs in one statement, which passes over locks.
    w.execute("update postrider.schedule set time_limit_ms = 9223372036854775807 where name = 'a'");

    held_lock lock{
        w.database.url(), "select from postrider.schedule where name like 'locked %' for update"};
    auto const pass = w.pass();

    EXPECT_EQ(pass.runs, 2);
    EXPECT_EQ(w.value("select count(*) from postrider.schedule where runs > 0"), "2");
    lock.release();
    EXPECT_EQ(w.pass().runs, 60);
}

} // namespace
} // namespace postrider::tests::failing_schedule_test
