// A schedule that cannot be run, beside others that can.
#include "tests/integration/queue/schedules_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests {

namespace {

using testing::HasSubstr;

// covers: E.21
TEST(schedules, one_that_cannot_run_stops_itself_alone) {
    schedules_world w;
    for (std::string const name : {"a", "b", "c"})
        w.execute(
            "insert into postrider.schedule (name, kind, cron, next_at) values ('" + name +
            "', 'report', '0 0 1 1 *', postrider.now())"
        );
    // Its jobs' deadline is beyond what Postgres can store.
    w.execute("update postrider.schedule set time_limit_ms = 9223372036854775807 where name = 'b'");

    auto const pass = w.pass();

    EXPECT_EQ(pass.runs, 2);
    EXPECT_EQ(
        w.value("select string_agg(name || ' ' || runs, ', ' order by name) from postrider.schedule"
        ),
        "a 1, b 0, c 1"
    );
    EXPECT_THAT(
        w.value("select error from postrider.schedule where name = 'b'"), HasSubstr("22008")
    );
    EXPECT_EQ(w.value("select count(*) from postrider.schedule where error is not null"), "1");
    w.execute("update postrider.schedule set next_at = postrider.now()");
    EXPECT_EQ(w.pass().runs, 2) << "it is not looked at again";
}

} // namespace
} // namespace postrider::tests
