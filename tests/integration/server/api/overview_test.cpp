// The numbers of the whole installation.
#include "server/views/overview.hpp"
#include "tests/integration/server/api/api_world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::overview_test {
namespace {

using namespace std::chrono_literals;

boost::json::object overview(api_world& world) {
    auto const answer = world.get("/api/v1/overview");
    EXPECT_EQ(answer.status, 200);
    return answer.body.as_object();
}

// covers: X.13
TEST(api_overview, counts_jobs_and_what_waits_for_people) {
    api_world world;
    world.database.execute(
        "insert into postrider.approval (approval_id, job_id, lane_id, requester, expires_at, "
        "question, call, tool, arguments, digest) select 'a' || n, 44, 1, 7, postrider.now() + "
        "interval '1 h', 'q', 'tool:' || n, 'calculator', '{}', 'd' from generate_series(1, 2) n"
    );
    world.database.execute(
        "insert into postrider.question (question_id, job_id, place, until_at) select id, 44, '', "
        "postrider.now() + age from (values ('q', interval '1 h'), ('other', '1 h'), ('over', "
        "'-1 h')) t(id, age)"
    );
    world.database.execute("insert into postrider.pause (scope) values ('all')");
    world.database.execute(
        "update postrider.job set degraded = true, degraded_reason = 'undelivered', error_class = "
        "'timeout', finished_at = postrider.now() where job_id = 41"
    );

    auto const seen = overview(world);

    auto const& jobs = seen.at("jobs").as_object();
    EXPECT_EQ(jobs.size(), 9u);
    for (auto const* state : {"completed", "failed", "paused", "waiting", "available", "running"})
        EXPECT_EQ(jobs.at(state), 1) << state;
    EXPECT_EQ(jobs.at("cancelled"), 0);
    EXPECT_FALSE(seen.at("total_is_estimate").as_bool());
    EXPECT_EQ(seen.at("rates").at("finished_last_minute"), 1);
    EXPECT_EQ(seen.at("rates").at("failed_last_hour"), 0) << "it failed days ago";
    EXPECT_EQ(seen.at("approvals"), 2);
    EXPECT_EQ(seen.at("questions"), 1) << "one is about the approvals, another one is over";
    EXPECT_EQ(seen.at("effects_in_doubt"), 3);
    EXPECT_EQ(seen.at("undelivered"), 1);
    EXPECT_EQ(seen.at("paused"), 1);
    EXPECT_EQ(seen.at("nodes").at("alive"), 1);
    EXPECT_EQ(seen.at("nodes").at("slots"), 8);
}

TEST(api_overview, tells_how_long_the_next_lane_has_waited) {
    api_world world;
    EXPECT_TRUE(overview(world).at("oldest_wait_ms").is_null()) << "it waits for an event";
    world.clock.advance(1min);
    world.database.execute("update postrider.lane_run set ready_at = postrider.now() - interval '5 "
                           "s' where lane_id = 1");

    auto const waited = overview(world).at("oldest_wait_ms").as_int64();

    EXPECT_GE(waited, 5'000);
    EXPECT_LT(waited, 60'000);
}

// However many ask.
TEST(api_overview, is_read_once_in_three_seconds) {
    api_world world;
    EXPECT_EQ(overview(world).at("paused"), 0);
    world.database.execute("insert into postrider.pause (scope) values ('all')");

    EXPECT_EQ(overview(world).at("paused"), 0);
    world.clock.advance(3s);
    EXPECT_EQ(overview(world).at("paused"), 1);
}

TEST(api_overview, estimates_many_jobs_and_says_so) {
    api_world world;
    world.database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, "
        "started_at, finished_at, state, kind, run_no, error_class) "
        "select 2000 + n, 1, 9, 0, postrider.now() - interval '30 s', postrider.now(), "
        "postrider.now(), case n % 10 when 0 then 'failed' else 'completed' end, 'turn', 1, "
        "case n % 10 when 0 then 'invalid' end from generate_series(1, 4000) n"
    );
    world.database.execute("analyze");

    auto const seen = overview(world);

    EXPECT_TRUE(seen.at("total_is_estimate").as_bool());
    auto const& jobs = seen.at("jobs").as_object();
    EXPECT_NEAR(static_cast<double>(jobs.at("completed").as_int64()), 3601, 100);
    EXPECT_EQ(jobs.at("failed"), 401) << "an index counts them";
    EXPECT_EQ(jobs.at("paused"), 1);
    EXPECT_EQ(jobs.at("waiting"), 1);
    EXPECT_EQ(jobs.at("running"), 1);
    auto const in_a_minute = seen.at("rates").at("finished_last_minute").as_int64();
    EXPECT_GE(in_a_minute, 3'000) << "2,000 in half a minute";
    EXPECT_LE(in_a_minute, 4'000);
}

TEST(api_overview, counts_two_thousand_jobs_and_estimates_one_more) {
    api_world world;
    world.database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, "
        "started_at, finished_at, state, kind, run_no) "
        "select 2000 + n, 1, 9, 0, postrider.now(), postrider.now(), postrider.now(), 'completed', "
        "'turn', 1 "
        "from generate_series(1, 2000 - (select count(*) from postrider.job)) n"
    );
    auto const counted = overview(world);
    EXPECT_FALSE(counted.at("total_is_estimate").as_bool());
    EXPECT_EQ(counted.at("jobs").at("completed"), 1995)
        << "the scene has one of each of six states";

    world.database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, "
        "started_at, finished_at, state, kind, run_no) values "
        "(9000, 1, 9, 0, postrider.now(), postrider.now(), postrider.now(), 'completed', 'turn', 1)"
    );
    world.clock.advance(3s);

    EXPECT_TRUE(overview(world).at("total_is_estimate").as_bool());
}

TEST(api_overview, takes_no_parameters) {
    api_world world;

    EXPECT_EQ(world.get("/api/v1/overview?by=day").code(), "invalid");
}

TEST(api_overview, is_for_operators) {
    api_world world;

    EXPECT_EQ(world.ask("GET", "/api/v1/overview", "", world.make_token("user")).status, 403);
    EXPECT_EQ(world.ask("GET", "/api/v1/overview", "", world.make_token("reader")).status, 200);
}

TEST(api_overview, is_unavailable_without_the_database) {
    api_world world;
    world.lose_database();

    auto const answer = world.get("/api/v1/overview");

    EXPECT_EQ(answer.status, 503);
    EXPECT_EQ(answer.code(), "unavailable");
}

} // namespace
} // namespace postrider::tests::overview_test
