// Steps that were only tried when the job function takes another way.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::tried_steps_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr base::retry_policy later{.limit = 5, .delay = 10s};

awaitable<queue::step_value> be_down() {
    co_return base::error(base::errc::unavailable, "connection refused");
}

awaitable<outcome> ask_or_list(workflow& flow, diary& book, bool asks) {
    if (asks) (void)co_await flow.run("ask", later, be_down);
    (void)co_await step(flow, book, "list");
    co_return outcome::completed();
}

// covers: E.07
TEST(tried_step, may_be_left) {
    world w;
    diary book;
    bool asks = true;
    auto& node = w.start_node({{"job", [&](workflow& f) { return ask_or_list(f, book, asks); }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "retryable");

    asks = false;
    w.pass("1 hour");
    w.until("select finished_at is not null from postrider.job", "t");

    EXPECT_EQ(w.value("select concat_ws(' ', state, error) from postrider.job"), "completed");
    EXPECT_THAT(book, ElementsAre("list"));
}

awaitable<outcome> pay_or_list(workflow& flow, diary& book, bool pays) {
    if (pays) {
        queue::commit_with decided;
        decided.effects.push_back({.key = "pay", .kind = "test", .request = nullptr});
        (void)co_await flow.commit(std::move(decided));
        (void)co_await flow.perform("pay", later, be_down);
    }
    (void)co_await step(flow, book, "list");
    co_return outcome::completed();
}

// It was promised, and one of its tries may have done it.
// covers: E.07
TEST(tried_effect, is_held_to) {
    world w;
    diary book;
    bool pays = true;
    auto& node = w.start_node({{"job", [&](workflow& f) { return pay_or_list(f, book, pays); }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "retryable");

    pays = false;
    w.pass("1 hour");
    w.until("select finished_at is not null from postrider.job", "t");

    EXPECT_EQ(
        w.value("select concat_ws(' ', state, error_class) from postrider.job"), "failed mismatch"
    );
    EXPECT_THAT(book, IsEmpty());
}

} // namespace

} // namespace postrider::tests::tried_steps_test
