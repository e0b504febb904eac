// What a step's failure has beside its class and its words, in the record and in a later run.
#include "queue/run/step_history.hpp"
#include "tests/integration/queue/steps.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::error_data_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;

constexpr std::chrono::sys_seconds opens{1795228800s};
constexpr base::retry_policy once{.limit = 0};

awaitable<queue::step_value> find_nothing_left() {
    base::error empty(base::errc::budget, "nothing is left", "empty_budget");
    empty.until = opens;
    co_return empty;
}

// Each run of it notes what its step failed by.
awaitable<outcome> spend(workflow& flow, std::vector<base::error>& seen) {
    auto const spent = co_await flow.try_step("spend", once, find_nothing_left);
    seen.push_back(spent.error());
    co_await flow.sleep("wait", 1h);
    co_return outcome::completed();
}

TEST(recorded_error, keeps_its_reason_and_its_time) {
    world w;
    std::vector<base::error> seen;
    auto& node = w.start_node({{"job", [&](workflow& f) { return spend(f, seen); }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "waiting");
    w.execute("update postrider.step set error = 'other words' where key = 'spend'");
    w.pass("2 hours");
    w.until("select state from postrider.job", "completed");

    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].detail, "nothing is left");
    EXPECT_EQ(seen[1].detail, "other words");
    for (auto const& failure : seen) {
        EXPECT_EQ(failure.reason, "empty_budget");
        EXPECT_EQ(failure.until, opens);
    }
    EXPECT_EQ(
        w.value("select error_data::text from postrider.step_timeline where key = 'spend'"),
        R"({"until": 1795228800, "reason": "empty_budget"})"
    );
}

} // namespace
} // namespace postrider::tests::error_data_test
