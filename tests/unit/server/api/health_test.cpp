#include "server/api/health.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::api::health_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(health, alive_needs_no_database) {
    EXPECT_EQ(healthz().status, 200);
}

TEST(health, ready_once_the_database_has_answered) {
    base::manual_clock clock;
    health state(clock, 3);

    auto before = readyz(state);
    state.schema_found(3);
    state.database_answered();
    auto after = readyz(state);

    EXPECT_EQ(before.status, 503);
    EXPECT_THAT(before.body, HasSubstr("the database does not answer"));
    EXPECT_EQ(after.status, 200);
}

TEST(health, an_answer_counts_for_five_seconds) {
    base::manual_clock clock;
    health state(clock, 3);
    state.schema_found(3);
    state.database_answered();

    clock.advance(5s);
    EXPECT_EQ(readyz(state).status, 200);
    clock.advance(1ms);
    EXPECT_EQ(readyz(state).status, 503);
    state.schema_found(3);
    state.database_answered();
    EXPECT_EQ(readyz(state).status, 200);
}

TEST(health, an_older_schema_is_not_ready_and_a_newer_one_is) {
    base::manual_clock clock;
    health state(clock, 3);

    state.schema_found(2);
    state.database_answered();
    EXPECT_THAT(state.reasons_against(), ElementsAre("schema 2 is older than 3"));
    state.schema_found(4);
    state.database_answered();
    EXPECT_EQ(readyz(state).status, 200);
}

// Its connection is frozen, while the heartbeat's answers.
TEST(health, a_commit_that_is_not_answered_is_a_reason) {
    base::manual_clock clock;
    health state(clock, 3);
    base::duration waits = 10s;
    state.watch_commits([&] { return waits; });
    state.database_answered();
    EXPECT_EQ(readyz(state).status, 200);

    waits = 12s;

    EXPECT_THAT(state.reasons_against(), ElementsAre("a commit is not answered since 12s"));
}

TEST(health, refused_commits_are_a_reason_until_they_are_accepted) {
    base::manual_clock clock;
    health state(clock, 3);
    state.database_answered();

    state.commits_refused("the disk of the database is full");
    auto refused = readyz(state);
    state.commits_refused(std::nullopt);

    EXPECT_EQ(refused.status, 503);
    EXPECT_THAT(refused.body, HasSubstr("commits are refused: the disk of the database is full"));
    EXPECT_EQ(readyz(state).status, 200);
}

TEST(health, draining_is_told_beside_the_rest) {
    base::manual_clock clock;
    health state(clock, 3);

    state.begin_drain();

    EXPECT_THAT(state.reasons_against(), ElementsAre("draining", "the database does not answer"));
}

} // namespace
} // namespace postrider::api::health_test
