// The handle that a job function does its steps with: the names that it builds, and what it makes
// of the operations of a run.
#include "tests/support/fake_workflow.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>

namespace postrider::queue::workflow_test {

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

awaitable<bool> is_suspended(awaitable<void> work) {
    try {
        co_await std::move(work);
        co_return false;
    } catch (suspended const&) {
        co_return true;
    }
}

awaitable<void> do_letter(workflow flow) {
    (void)co_await flow.perform("letter", {}, [] { return give(3); });
}

awaitable<void> rest(workflow flow) {
    co_await flow.sleep("night", 8h);
}

awaitable<void> rest_until(workflow flow) {
    co_await flow.sleep_until("night", base::sys_time{});
}

awaitable<void> pass(workflow flow, std::string gate) {
    (void)co_await flow.admit(std::move(gate));
}

struct given_up_handle : handle {
    workflow given_up() {
        record.effects["letter"] = {.key = "letter", .kind = "post", .request = nullptr};
        return flow.unless(std::make_shared<bool const>(true));
    }
};

// covers: S3.17
TEST_F(given_up_handle, begins_neither_an_effect_that_is_planned_nor_a_pause_and_passes_no_gate) {
    EXPECT_TRUE(io.run(is_suspended(do_letter(given_up()))));
    EXPECT_TRUE(io.run(is_suspended(rest(given_up()))));
    EXPECT_TRUE(io.run(is_suspended(rest_until(given_up()))));
    EXPECT_TRUE(io.run(is_suspended(pass(given_up(), "bucket"))));
    EXPECT_FALSE(io.run(is_suspended(pass(given_up(), "")))) << "there is none";
    EXPECT_THAT(run.log, ElementsAre());
}

// covers: S3.17
TEST_F(given_up_handle, is_served_what_was_done_and_waits_for_no_pause_again) {
    record.steps["letter"] = 3;
    record.steps["night"] = nullptr;

    EXPECT_FALSE(io.run(is_suspended(do_letter(given_up()))));
    EXPECT_FALSE(io.run(is_suspended(rest(given_up()))));
    EXPECT_THAT(run.log, ElementsAre());
}

awaitable<void> record_and_add(workflow flow) {
    flow.add({});
    (void)co_await flow.scope("till").record_value("sum", 2);
    (void)co_await flow.commit();
}

awaitable<void> begin_letter(workflow flow) {
    commit_with letter;
    letter.effects.push_back({.key = "letter", .kind = "post", .request = nullptr});
    (void)co_await flow.commit(std::move(letter));
}

// covers: S3.17
TEST_F(handle, that_is_read_only_is_served_and_writes_nothing) {
    record.steps["shop/till/sum"] = 2;
    auto const shop = flow.read_only().scope("shop");

    EXPECT_TRUE(shop.is_read_only());
    EXPECT_FALSE(flow.is_read_only());
    EXPECT_FALSE(io.run(is_suspended(record_and_add(shop))));
    EXPECT_TRUE(io.run(is_suspended(begin_letter(shop))));
    EXPECT_TRUE(io.run(is_suspended(record_and_add(shop.scope("bank"))))) << "not recorded";
    io.run(record_and_add(flow));

    EXPECT_THAT(run.log, ElementsAre("value till/sum", "commit"));
    EXPECT_EQ(record.writes.size(), 1U) << "only what the other handle has added";
}

} // namespace

} // namespace postrider::queue::workflow_test
