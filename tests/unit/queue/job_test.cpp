#include "queue/job.hpp"
#include "queue/progress_rows.hpp"

#include <gmock/gmock.h>

namespace postrider::queue {

namespace {

// covers: E.11
TEST(job_state, has_nine_words_and_three_of_them_are_the_end) {
    int ends = 0;
    for (std::string const name :
         {"available",
          "scheduled",
          "running",
          "waiting",
          "retryable",
          "completed",
          "failed",
          "cancelled",
          "paused"}) {
        auto const state = job_state_from_string(name);
        ASSERT_TRUE(state) << name;
        EXPECT_EQ(to_string(*state), name);
        ends += over(*state);
    }
    EXPECT_EQ(ends, 3);
    EXPECT_FALSE(job_state_from_string("dead"));
}

TEST(demand, outweighs_others_in_the_order_of_its_words) {
    EXPECT_LT(demand::cancel, demand::rollback);
    EXPECT_LT(demand::rollback, demand::pause);
    EXPECT_LT(demand::pause, demand::interrupt);
    EXPECT_EQ(demand_from_string("hold"), demand::hold);
}

// covers: E.07
TEST(stored_ending, comes_back_as_it_was) {
    auto const failed = outcome_from(to_json(outcome::failed({base::errc::refused, "no"})));
    EXPECT_EQ(failed.state, job_state::failed);
    EXPECT_EQ(failed.why.code, base::errc::refused);
    EXPECT_EQ(failed.why.detail, "no");

    auto const cancelled = outcome_from(to_json(outcome::cancelled("because")));
    EXPECT_EQ(cancelled.state, job_state::cancelled);
    EXPECT_EQ(cancelled.output, "because");
}

} // namespace

} // namespace postrider::queue
