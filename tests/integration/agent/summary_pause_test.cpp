// How long the jobs that summarise a session wait for one another while they fail.
#include "agent/flow/nodes/summary_job.hpp"
#include "tests/integration/queue/world.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace postrider::tests::summary_pause_test {
namespace {

using namespace std::chrono_literals;

class summary_pause : public engine_fixture {
protected:
    summary_pause() { node_ = &w.start_node({}); }

    // The jobs of the session, the oldest first; each ended so many minutes ago.
    void ended(std::string_view state, int minutes) {
        w.execute(fmt::format(
            "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, "
            "run_no, error_class, started_at, finished_at) "
            "values ({0}, {1}, 1, {0}, '{2}', 'memory.summary', 1, {3}, postrider.now(), "
            "postrider.now() - interval '{4} minutes')",
            ++last_job_,
            base::raw(lane_),
            state,
            state == "failed" ? "'timeout'" : "null",
            minutes
        ));
    }
    bool pauses() { return w.io.run(agent::flow::summaries_pause(*node_->quick, "s", 5s)).value(); }

    node* node_ = nullptr;
    lane_id lane_ = w.make_lane("summary:s");
    std::int64_t last_job_ = 40;
};

TEST_F(summary_pause, is_none_before_a_job_has_failed) {
    EXPECT_FALSE(pauses());
    ended("completed", 0);
    EXPECT_FALSE(pauses());
}

TEST_F(summary_pause, is_ten_minutes_behind_the_first_failure) {
    ended("completed", 60);
    ended("failed", 9);
    EXPECT_TRUE(pauses());

    w.execute("update postrider.job set finished_at = finished_at - interval '2 minutes'");

    EXPECT_FALSE(pauses());
}

TEST_F(summary_pause, doubles_with_each_failure) {
    ended("failed", 400);
    ended("failed", 300);
    ended("failed", 39);
    EXPECT_TRUE(pauses());

    w.execute("update postrider.job set finished_at = finished_at - interval '2 minutes'");

    EXPECT_FALSE(pauses());
}

TEST_F(summary_pause, is_a_day_at_most) {
    for (int n = 0; n < 12; ++n) ended("failed", 23 * 60);
    EXPECT_TRUE(pauses());

    w.execute("update postrider.job set finished_at = finished_at - interval '2 hours'");

    EXPECT_FALSE(pauses());
}

TEST_F(summary_pause, is_over_once_a_job_completed_or_was_cancelled) {
    for (auto const* state : {"completed", "cancelled"}) {
        ended("failed", 2);
        EXPECT_TRUE(pauses());
        ended(state, 1);
        EXPECT_FALSE(pauses()) << state;
    }
}

} // namespace
} // namespace postrider::tests::summary_pause_test
