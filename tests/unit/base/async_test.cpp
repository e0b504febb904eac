#include "base/async.hpp"
#include "tests/support/loop.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace postrider::base::async_test {
namespace {

using tests::loop;

constexpr duration soon = 20ms;
constexpr duration never = 1h; // far beyond the deadline of loop::run

awaitable<result<int>> give(int value) {
    co_return value;
}

awaitable<result<int>> give_after(duration wait, int value) {
    co_await sleep_for(wait);
    co_return value;
}

awaitable<result<int>> decline() {
    co_return error(errc::refused, "no");
}

awaitable<result<int>> blow_up() {
    co_await sleep_for(1ms);
    throw std::runtime_error("broken");
}

// Has no answer in time, and turns its cancellation into a late value or a failure.
awaitable<result<int>> wind_up(result<int> late) {
    boost::system::error_code ec;
    asio::steady_timer timer{co_await asio::this_coro::executor, never};
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    co_return late;
}

struct unfit_for_default {
    explicit unfit_for_default(int n) : number(n) {}
    int number;
};

awaitable<result<unfit_for_default>> give_unfit() {
    co_return unfit_for_default{3};
}

TEST(with_timeout, work_in_time_gives_its_result) {
    loop loop;
    EXPECT_EQ(loop.run(with_timeout(give(1), never)).value(), 1);
    EXPECT_EQ(loop.run(with_timeout(give_after(1ms, 2), never)).value(), 2);
    EXPECT_EQ(loop.run(with_timeout(decline(), never)).error(), errc::refused);
    EXPECT_EQ(loop.run(with_timeout(give_unfit(), never)).value().number, 3);
}

TEST(with_timeout, late_work_is_cancelled) {
    loop loop;
    auto outcome = loop.run(with_timeout(give_after(never, 1), soon));
    ASSERT_TRUE(outcome.has_error());
    EXPECT_EQ(to_string(outcome.error()), "timeout: took longer than 20ms");
}

TEST(with_timeout, a_value_that_came_all_the_same_is_kept_but_a_failure_is_the_timeout) {
    loop loop;
    EXPECT_EQ(loop.run(with_timeout(wind_up(7), soon)).value(), 7);
    EXPECT_EQ(loop.run(with_timeout(wind_up(error(errc::cancelled)), soon)).error(), errc::timeout);
}

TEST(with_timeout, an_exception_passes_at_once) {
    loop loop;
    EXPECT_THROW(loop.run(with_timeout(blow_up(), never)), std::runtime_error);
}

TEST(with_timeout, nests) {
    loop loop;
    auto inner = loop.run(with_timeout(with_timeout(give_after(never, 1), soon), never));
    EXPECT_EQ(inner.error().detail, "took longer than 20ms");
    auto outer = loop.run(with_timeout(with_timeout(give_after(never, 1), never), soon));
    EXPECT_EQ(outer.error().detail, "took longer than 20ms");
}

// What a cancelled caller meets: awaits the work in a task and keeps what it threw.
awaitable<void> record(awaitable<result<int>> work, std::exception_ptr& thrown) {
    try {
        (void)co_await std::move(work);
    } catch (...) {
        thrown = std::current_exception();
    }
}

awaitable<void> cancel_and_join(task_group& group) {
    group.cancel();
    co_await group.join();
}

TEST(with_timeout, a_cancelled_caller_gets_operation_aborted) {
    loop loop;
    task_group group{loop.executor()};
    std::exception_ptr thrown;
    group.spawn("caller", record(with_timeout(give_after(never, 1), never), thrown));
    loop.context.poll();
    loop.run(cancel_and_join(group));
    ASSERT_TRUE(thrown);
    try {
        std::rethrow_exception(thrown);
    } catch (boost::system::system_error const& e) {
        EXPECT_EQ(e.code(), asio::error::operation_aborted);
    }
}

awaitable<void> count_wakes(signal& bell, int& woken) {
    co_await bell.wait();
    ++woken;
}

awaitable<void> note_wait_for(signal& bell, duration limit, std::optional<bool>& outcome) {
    outcome = co_await bell.wait_for(limit);
}

TEST(signal, wakes_every_waiter_of_now_and_no_later_one) {
    loop loop;
    signal bell{loop.executor()};
    task_group group{loop.executor()};
    int woken = 0;
    bell.notify();
    group.spawn("first", count_wakes(bell, woken));
    group.spawn("second", count_wakes(bell, woken));
    loop.context.poll();
    EXPECT_EQ(woken, 0) << "a notify before the wait is not kept";
    bell.notify();
    loop.context.restart();
    loop.context.poll();
    EXPECT_EQ(woken, 2);
    group.spawn("third", count_wakes(bell, woken));
    loop.context.restart();
    loop.context.poll();
    EXPECT_EQ(woken, 2);
    loop.run(cancel_and_join(group));
    EXPECT_EQ(woken, 2);
}

TEST(signal, wait_for_tells_a_notify_from_the_time) {
    loop loop;
    signal bell{loop.executor()};
    EXPECT_FALSE(loop.run(bell.wait_for(soon)));
    std::optional<bool> outcome;
    task_group group{loop.executor()};
    group.spawn("waiter", note_wait_for(bell, never, outcome));
    loop.context.restart();
    loop.context.poll();
    bell.notify();
    loop.run(group.join());
    EXPECT_EQ(outcome, true);
}

// Waits before it lets go of the thread: a notify right behind the wait must reach it.
awaitable<void> wait_then_stop(signal& bell, bool& rung) {
    rung = co_await bell.wait_for(never);
}

TEST(signal, a_notify_right_behind_the_wait_is_not_lost) {
    loop loop;
    signal bell{loop.executor()};
    task_group group{loop.executor()};
    bool rung = false;
    asio::post(loop.context, [&] {
        group.spawn("waiter", wait_then_stop(bell, rung));
        bell.notify();
    });
    loop.context.poll();
    loop.run(group.join());
    EXPECT_TRUE(rung);
}

awaitable<void> finish_after(duration wait, int& finished) {
    co_await sleep_for(wait);
    ++finished;
}

awaitable<void> note_end(
    signal& bell, duration work, int& finished, std::optional<bool>& by_itself
) {
    by_itself = co_await bell.ends_before_notify(finish_after(work, finished));
}

TEST(signal, cuts_off_work_that_runs_at_the_notify) {
    loop loop;
    signal bell{loop.executor()};
    task_group group{loop.executor()};
    int finished = 0;
    std::optional<bool> by_itself;

    loop.run(note_end(bell, duration::zero(), finished, by_itself));
    EXPECT_EQ(by_itself, true);
    EXPECT_EQ(finished, 1);

    group.spawn("work", note_end(bell, never, finished, by_itself));
    loop.context.restart();
    loop.context.poll();
    bell.notify();
    loop.run(group.join());
    EXPECT_EQ(by_itself, false);
    EXPECT_EQ(finished, 1);
}

// A caller that is cancelled does not take it for the notify.
TEST(signal, passes_its_own_cancellation_on_to_the_work) {
    loop loop;
    signal bell{loop.executor()};
    task_group group{loop.executor()};
    int finished = 0;
    std::optional<bool> by_itself;
    group.spawn("work", note_end(bell, never, finished, by_itself));
    loop.context.restart();
    loop.context.poll();

    loop.run(cancel_and_join(group));

    EXPECT_EQ(by_itself, std::nullopt);
    EXPECT_EQ(finished, 0);
}

awaitable<void> fail_with(std::exception_ptr failure) {
    std::rethrow_exception(std::move(failure));
    co_return;
}

awaitable<void> use_operators() {
    using namespace asio::experimental::awaitable_operators;
    (void)co_await (sleep_for(never) || sleep_for(never));
}

TEST(task_group, join_waits_for_all) {
    loop loop;
    task_group group{loop.executor()};
    int finished = 0;
    for (auto wait : {1ms, 5ms, 10ms}) group.spawn("sleeper", finish_after(wait, finished));
    EXPECT_EQ(group.size(), 3u);
    loop.run(group.join());
    EXPECT_EQ(finished, 3);
    EXPECT_EQ(group.size(), 0u);
    loop.run(group.join());
}

TEST(task_group, cancel_stops_every_task_silently) {
    loop loop;
    task_group group{loop.executor()};
    int finished = 0;
    for (int i = 0; i < 3; ++i) group.spawn("sleeper", finish_after(never, finished));
    group.spawn("racer", use_operators());
    loop.context.poll();
    testing::internal::CaptureStderr();
    loop.run(cancel_and_join(group));
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(finished, 0);
}

awaitable<void> cancel_one_and_join(task_group& group, task_group::task_id task) {
    group.cancel(task);
    co_await group.join();
}

TEST(task_group, cancel_of_one_leaves_the_others) {
    loop loop;
    task_group group{loop.executor()};
    int finished = 0;
    group.spawn("first", finish_after(5ms, finished));
    auto const endless = group.spawn("endless", finish_after(never, finished));
    group.spawn("last", finish_after(5ms, finished));
    loop.context.poll();
    loop.run(cancel_one_and_join(group, endless));
    EXPECT_EQ(finished, 2);
    group.cancel(endless);
}

TEST(task_group, a_failure_is_logged_under_its_name_and_ends_only_its_task) {
    loop loop;
    task_group group{loop.executor()};
    int finished = 0;
    group.spawn("healthy", finish_after(5ms, finished));
    group.spawn("odd", fail_with(std::make_exception_ptr(std::runtime_error("out of luck"))));
    group.spawn("stranger", fail_with(std::make_exception_ptr(42)));
    auto const reset = make_error_code(boost::system::errc::connection_reset);
    group.spawn(
        "network",
        fail_with(std::make_exception_ptr(boost::system::system_error(reset, "a private detail")))
    );
    testing::internal::CaptureStderr();
    loop.run(group.join());
    auto const text = testing::internal::GetCapturedStderr();
    EXPECT_THAT(text, testing::HasSubstr("error task.failed task=odd error=\"out of luck\""));
    EXPECT_THAT(text, testing::HasSubstr("task=stranger"));
    EXPECT_THAT(text, testing::HasSubstr("task=network error=\"Connection reset by peer\""));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("private")));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("healthy")));
    EXPECT_EQ(finished, 1);
}

TEST(task_group, takes_new_tasks_after_a_join) {
    loop loop;
    task_group group{loop.executor()};
    int finished = 0;
    group.spawn("first", finish_after(1ms, finished));
    loop.run(group.join());
    group.spawn("second", finish_after(1ms, finished));
    loop.run(group.join());
    EXPECT_EQ(finished, 2);
}

// Goes on for a while after it was cancelled.
awaitable<void> finish_late(int& finished) {
    boost::system::error_code ec;
    asio::steady_timer timer{co_await asio::this_coro::executor, never};
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ec));
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await sleep_for(soon);
    ++finished;
}

awaitable<void> run_both(int& finished, boost::system::error_code& thrown) {
    std::vector<awaitable<void>> both;
    both.push_back(finish_after(never, finished));
    both.push_back(finish_late(finished));
    try {
        co_await run_together("both", std::move(both));
    } catch (boost::system::system_error const& e) {
        thrown = e.code();
    }
    auto const state = co_await asio::this_coro::cancellation_state;
    EXPECT_NE(state.cancelled(), asio::cancellation_type::none) << "it still knows";
}

TEST(run_together, cancels_the_tasks_with_its_caller_and_waits_for_their_end) {
    loop loop;
    task_group callers{loop.executor()};
    int finished = 0;
    boost::system::error_code thrown;
    callers.spawn("caller", run_both(finished, thrown));
    loop.context.poll();

    callers.cancel();
    loop.context.restart();
    loop.context.poll();
    EXPECT_FALSE(thrown) << "one of them has not ended";
    loop.run(cancel_and_join(callers)); // cancelled once more, it waits all the same

    EXPECT_EQ(thrown, asio::error::operation_aborted);
    EXPECT_EQ(finished, 1);
}

awaitable<void> run_once_cancelled(task_group& callers, int& finished) {
    co_await sleep_for(1ms);
    callers.cancel();
    std::vector<awaitable<void>> tasks;
    tasks.push_back(finish_after(0ms, finished));
    co_await run_together("some", std::move(tasks));
}

// What the tasks refer to is gone when the caller has thrown.
TEST(run_together, begins_nothing_for_a_caller_that_was_cancelled_before) {
    loop loop;
    task_group callers{loop.executor()};
    int finished = 0;
    callers.spawn("caller", run_once_cancelled(callers, finished));

    loop.run(callers.join());
    loop.context.restart();
    loop.context.run_for(5ms);

    EXPECT_EQ(finished, 0);
}

TEST(run_together, goes_on_where_one_of_them_fails) {
    loop loop;
    int finished = 0;
    std::vector<awaitable<void>> tasks;
    for (auto wait : {1ms, 5ms}) tasks.push_back(finish_after(wait, finished));
    tasks.push_back(fail_with(std::make_exception_ptr(std::runtime_error("out of luck"))));

    loop.run(run_together("some", std::move(tasks)));

    EXPECT_EQ(finished, 2);
}

TEST(sleep_for, lasts_at_least_as_long) {
    loop loop;
    auto const start = system_clock().steady();
    loop.run(sleep_for(soon));
    EXPECT_GE(system_clock().steady() - start, soon);
}

} // namespace
} // namespace postrider::base::async_test
