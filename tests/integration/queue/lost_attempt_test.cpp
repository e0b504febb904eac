// Attempts of steps that died with their process, as the rescue notes them.
#include "queue/store/job_views.hpp"
#include "tests/integration/queue/steps.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::lost_attempt_test {

namespace {

using base::awaitable;
using queue::outcome;
using queue::workflow;
namespace json = boost::json;

awaitable<outcome> paid_then_slow(workflow& flow, int& paid, latch& door, json::value result) {
    auto bill = co_await flow.run("pay", {}, [&] { return give(++paid); });
    auto slow = co_await flow.run("slow", {}, [&] { return pass_through(door, result); });
    co_return outcome::completed({{"bill", *bill}, {"slow", *slow}});
}

// covers: E.08
TEST(lost_attempt, has_a_row_with_its_step_node_and_times) {
    world w;
    latch stuck(w.io);
    latch open(w.io);
    open.let_go();
    int paid = 0;
    auto& zombie = w.start_zombie({{"job", [&](workflow& f) {
                                        return paid_then_slow(f, paid, stuck, "late");
                                    }}});
    w.enqueue(zombie, w.make_lane("a"), "job");
    w.until([&] { return stuck.arrived == 1; });
    auto const died = w.value("select node_id from postrider.busy_lane");
    w.start_node({{"job", [&](workflow& f) { return paid_then_slow(f, paid, open, "rescued"); }}});

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
    stuck.let_go();
}

// covers: E.15
TEST(lost_attempt, is_none_that_a_node_put_back) {
    world w;
    latch stuck(w.io);
    int paid = 0;
    auto& node =
        w.start_node({{"job", [&](workflow& f) { return paid_then_slow(f, paid, stuck, "late"); }}}
        );
    w.enqueue(node, w.make_lane("a"), "job");
    w.until([&] { return stuck.arrived == 1; });

    w.io.run(node.engine->drain(base::duration{0}));

    EXPECT_EQ(w.value("select state from postrider.job"), "available");
    EXPECT_EQ(w.value("select count(*) from postrider.lost_attempts"), "0");
}

} // namespace

} // namespace postrider::tests::lost_attempt_test
