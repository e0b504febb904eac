// Attempts of steps that died with their process, as the rescue notes them.
#include "queue/admin/job_views.hpp"
#include "tests/integration/queue/stuck_job.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::lost_attempt_test {

namespace {

// covers: E.08
TEST(lost_attempt, has_a_row_with_its_step_node_and_times) {
    stuck_job s;
    auto& w = s.w;
    s.other.let_go();
    auto const died = w.value("select node_id from postrider.busy_lane");
    w.start_node({s.kind(s.other, "rescued")});

    w.silence_oldest();
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(
        w.value("select string_agg(concat_ws(' ', lane_key, run_no, key, outcome, node_id), ', ') "
                "from postrider.lost_attempts"),
        "a 1 slow lost " + died
    );
    EXPECT_EQ(
        w.value("select count(*) from postrider.lost_attempts join postrider.step s using (job_id) "
                "where s.key = 'pay' and since = s.ended_at and since < lost_at and "
                "beat_at < lost_at - interval '59 min' and host <> ''"),
        "1"
    );
    EXPECT_EQ(
        w.value(
            "select string_agg(concat_ws(' ', key, attempt, outcome, node_id <> " + died +
            "), ', ' order by seq) from postrider.step"
        ),
        "pay 1 done f, slow 1 done t"
    );
    std::optional<queue::job_details> shown;
    w.in_transaction([&](auto& tx) {
        shown = queue::read_job_details(
            tx, job_id{std::stoll(w.value("select job_id from postrider.job"))}
        );
    });
    ASSERT_EQ(shown->lost_attempts.size(), 1u);
    EXPECT_EQ(shown->lost_attempts.front().key, "slow");
    EXPECT_EQ(base::to_string(node_id{shown->lost_attempts.front().node}), died);
}

// covers: E.15
TEST(lost_attempt, is_none_that_a_node_put_back) {
    stuck_job s;

    s.w.io.run(s.zombie.engine->drain(base::duration{0}));

    EXPECT_EQ(s.w.value("select state from postrider.job"), "available");
    EXPECT_EQ(s.w.value("select count(*) from postrider.lost_attempts"), "0");
}

} // namespace

} // namespace postrider::tests::lost_attempt_test
