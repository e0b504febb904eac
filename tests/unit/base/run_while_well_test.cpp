#include "base/async.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace postrider::base::run_while_well_test {
namespace {

using namespace std::chrono_literals;
using tests::loop;

constexpr duration never = 1h; // far beyond the deadline of loop::run

awaitable<bool> go_well(bool is_well) {
    co_await sleep_for(1ms);
    co_return is_well;
}

awaitable<bool> wait_to_be_cancelled(int& cancelled) {
    try {
        co_await sleep_for(never);
    } catch (boost::system::system_error const&) {
        ++cancelled;
        throw;
    }
    co_return true;
}

TEST(run_while_well, cancels_the_others_when_one_does_not_go_well) {
    loop loop;
    int cancelled = 0;
    std::vector<awaitable<bool>> tasks;
    tasks.push_back(wait_to_be_cancelled(cancelled));
    tasks.push_back(go_well(false));

    EXPECT_FALSE(loop.run(run_while_well("some", std::move(tasks))));

    EXPECT_EQ(cancelled, 1);
}

awaitable<bool> throw_soon() {
    co_await sleep_for(1ms);
    throw std::runtime_error("out of luck");
}

TEST(run_while_well, cancels_the_others_when_one_throws) {
    loop loop;
    int cancelled = 0;
    std::vector<awaitable<bool>> tasks;
    tasks.push_back(wait_to_be_cancelled(cancelled));
    tasks.push_back(throw_soon());

    EXPECT_FALSE(loop.run(run_while_well("some", std::move(tasks))));

    EXPECT_EQ(cancelled, 1);
}

awaitable<bool> end_at_once(bool throws) {
    if (throws) throw std::runtime_error("out of luck");
    co_return false;
}

// It is cancelled with the others before it ever waited.
TEST(run_while_well, ends_with_one_that_fails_before_its_first_wait) {
    for (bool const throws : {false, true})
        for (bool const is_first : {false, true}) {
            loop loop;
            int cancelled = 0;
            std::vector<awaitable<bool>> tasks;
            if (is_first) tasks.push_back(end_at_once(throws));
            tasks.push_back(wait_to_be_cancelled(cancelled));
            if (!is_first) tasks.push_back(end_at_once(throws));

            EXPECT_FALSE(loop.run(run_while_well("some", std::move(tasks)))) << throws << is_first;

            EXPECT_EQ(cancelled, is_first ? 0 : 1) << "behind a failure none begins";
        }
}

awaitable<result<int>> wait_and_throw_another() {
    try {
        co_await sleep_for(never);
    } catch (boost::system::system_error const&) {
        throw std::runtime_error("another");
    }
    co_return 1;
}

// Waits within waits, each of which throws, catches and throws again.
awaitable<bool> catch_what_waits_throw(int& caught) {
    std::exception_ptr thrown;
    try {
        (void)co_await with_timeout(with_timeout(wait_and_throw_another(), never), never);
    } catch (std::runtime_error const&) {
        thrown = std::current_exception();
    }
    ++caught;
    if (thrown) std::rethrow_exception(thrown);
    co_return true;
}

TEST(run_while_well, leaves_each_task_its_own_exception) {
    loop loop;
    int caught = 0;
    std::vector<awaitable<bool>> tasks;
    for (int i = 0; i < 3; ++i) tasks.push_back(catch_what_waits_throw(caught));
    tasks.push_back(throw_soon());
    for (int i = 0; i < 3; ++i) tasks.push_back(catch_what_waits_throw(caught));
    testing::internal::CaptureStderr();

    EXPECT_FALSE(loop.run(run_while_well("some", std::move(tasks))));

    auto const text = testing::internal::GetCapturedStderr();
    EXPECT_THAT(text, testing::HasSubstr("error=\"out of luck\""));
    EXPECT_THAT(text, testing::HasSubstr("error=another"));
    EXPECT_EQ(caught, 6);
}

awaitable<bool> cancel_all_of(task_group& callers) {
    callers.cancel();
    co_return true;
}

awaitable<void> run_some(task_group& callers, int& cancelled) {
    std::vector<awaitable<bool>> tasks;
    tasks.push_back(wait_to_be_cancelled(cancelled));
    tasks.push_back(cancel_all_of(callers));
    (void)co_await run_while_well("some", std::move(tasks));
}

TEST(run_while_well, waits_for_its_tasks_where_one_cancels_the_caller_as_it_begins) {
    loop loop;
    task_group callers{loop.executor()};
    int cancelled = 0;
    callers.spawn("caller", run_some(callers, cancelled));

    loop.run(callers.join());

    EXPECT_EQ(cancelled, 1);
}

TEST(run_while_well, waits_for_all_that_go_well) {
    loop loop;
    std::vector<awaitable<bool>> tasks;
    tasks.push_back(go_well(true));
    tasks.push_back(go_well(true));

    EXPECT_TRUE(loop.run(run_while_well("some", std::move(tasks))));
}

} // namespace
} // namespace postrider::base::run_while_well_test
