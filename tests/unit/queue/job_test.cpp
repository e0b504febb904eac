#include "queue/job.hpp"
#include "queue/store/checkpoint_rows.hpp"

#include <gmock/gmock.h>

namespace postrider::queue::job_test {

namespace {

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

TEST(control_request, outweighs_others_in_the_order_of_its_words) {
    EXPECT_LT(control_request::cancel, control_request::rollback);
    EXPECT_LT(control_request::rollback, control_request::pause);
    EXPECT_LT(control_request::pause, control_request::interrupt);
    EXPECT_EQ(control_request_from_string("hold"), control_request::hold);
}

TEST(stored_ending, comes_back_as_it_was) {
    auto const failed = outcome_from(to_json(outcome::failed({base::errc::refused, "no"})));
    EXPECT_EQ(failed.state, job_state::failed);
    EXPECT_EQ(failed.error.code, base::errc::refused);
    EXPECT_EQ(failed.error.detail, "no");

    auto const cancelled = outcome_from(to_json(outcome::cancelled("because")));
    EXPECT_EQ(cancelled.state, job_state::cancelled);
    EXPECT_EQ(cancelled.output, "because");
}

} // namespace

} // namespace postrider::queue::job_test
