#include "server/cli/job_watch.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

namespace postrider::cli::job_watch_test {
namespace {

TEST(job_watch, goes_on_after_a_look_that_failed_and_loses_nothing) {
    tests::test_database database;
    database.execute(
        "insert into postrider.lane (lane_id, lane_key) overriding system value values (1, 'a');"
        "insert into postrider.job (job_id, lane_id, conversation_id, state, kind, input, arrival) "
        "values (1, 1, 1, 'available', 'turn', '{}', 1)"
    );
    server::local_database where;
    where.options = database.options();
    std::vector<std::string> states;
    bool is_first = true;
    auto const hear = [&](std::vector<queue::job_event> const& events) {
        for (auto const& event : events) states.push_back(event.job.state);
        if (std::exchange(is_first, false))
            database.execute("select pg_terminate_backend(pid) from pg_stat_activity "
                             "where datname = current_database() and pid <> pg_backend_pid();"
                             "update postrider.job set state = 'completed', run_no = 1, "
                             "started_at = created_at, finished_at = postrider.now()");
        return true;
    };

    auto const ended = watch_jobs(where, {}, {job_id{1}}, hear);

    ASSERT_TRUE(ended) << base::to_string(ended.error());
    EXPECT_THAT(states, testing::ElementsAre("available", "completed"));
}

TEST(job_watch, fails_at_once_where_its_first_look_does) {
    server::local_database where;
    where.options.url = "host=127.0.0.1 port=1";

    auto const ended = watch_jobs(where, {}, {}, [](auto const&) { return true; });

    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error(), base::errc::unavailable);
}

} // namespace
} // namespace postrider::cli::job_watch_test
