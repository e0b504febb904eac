// The handle that a job function does its steps with: the names that it builds, and what it makes
// of the operations of a run.
#include "tests/support/fake_workflow.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using testing::ElementsAre;

struct handle : testing::Test {
    tests::loop io;
    tests::fake_record record;
    tests::fake_workflow run{queue::job{}, record};
    workflow flow{run};
};

awaitable<void> ask_in_scopes(workflow flow) {
    auto shop = flow.scope("shop");
    (void)co_await shop.run("pay", {}, [] { return give(1); });
    (void)co_await shop.scope("till").record_value("sum", 2);
    shop.on_rollback("pay", [] { return give(nullptr); });
    commit_with letter;
    letter.effects.push_back({.key = "letter", .kind = "post", .request = nullptr});
    (void)co_await shop.commit(std::move(letter));
    (void)co_await shop.perform("letter", {}, [] { return give(3); });
    co_await shop.sleep("night", 8h);
    co_await shop.sleep_until("noon", base::sys_time{});
    awaited_event courier{.type = "picked up"};
    (void)co_await shop.wait_for_event("courier", courier);
    (void)co_await flow.run("pay", {}, [] { return give(4); });
}

TEST_F(handle, puts_its_scopes_before_every_name) {
    io.run(ask_in_scopes(flow));

    EXPECT_THAT(
        run.log,
        ElementsAre(
            "step shop/pay",
            "commit",
            "value shop/till/sum",
            "undo shop/pay",
            "commit",
            "effect shop/letter",
            "sleep shop/night",
            "sleep shop/noon",
            "wait shop/courier",
            "step pay",
            "commit"
        )
    );
    tests::fake_workflow second{queue::job{}, record};
    workflow const again(second);
    EXPECT_TRUE(again.scope("shop").recorded("pay"));
    EXPECT_TRUE(again.scope("shop").scope("till").recorded("sum"));
    EXPECT_FALSE(again.recorded("sum"));
    EXPECT_TRUE(again.scope("shop").planned("letter"));
    EXPECT_FALSE(again.planned("letter"));
    EXPECT_EQ(again.scope("shop").scope("till").prefix(), "shop/till/");
}

awaitable<void> pay(workflow& flow) {
    (void)co_await flow.run("pay", {}, [] { return give(1); });
}

TEST_F(handle, commits_a_step_once_and_tells_that_it_was_served) {
    auto shop = flow.scope("shop");
    io.run(pay(shop));
    EXPECT_FALSE(shop.served());

    tests::fake_workflow second{queue::job{}, record};
    workflow again(second);
    auto later = again.scope("shop");
    io.run(pay(later));

    EXPECT_THAT(run.log, ElementsAre("step shop/pay", "commit"));
    EXPECT_THAT(second.log, ElementsAre());
    EXPECT_TRUE(later.served());
    EXPECT_FALSE(again.scope("bank").served());
}

} // namespace

} // namespace postrider::queue
