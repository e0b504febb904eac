#include "base/on_thread.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace postrider::base::on_thread_test {
namespace {

TEST(on_thread, runs_the_work_beside_the_loop) {
    tests::loop loop;
    auto const own = std::this_thread::get_id();
    std::thread::id other;
    loop.run(run_on_thread([&](std::stop_token) { other = std::this_thread::get_id(); }));
    EXPECT_NE(other, std::thread::id());
    EXPECT_NE(other, own);
}

TEST(on_thread, throws_what_the_work_throws) {
    tests::loop loop;
    auto const fail = [](std::stop_token) { throw std::runtime_error("broken"); };
    EXPECT_THROW(loop.run(run_on_thread(fail)), std::runtime_error);
}

awaitable<result<void>> wait_for(std::function<void(std::stop_token)> work) {
    co_await run_on_thread(std::move(work));
    co_return result<void>();
}

TEST(on_thread, stops_the_work_when_the_coroutine_is_cancelled) {
    tests::loop loop;
    std::atomic<bool> has_stopped = false;
    auto const until_stopped = [&](std::stop_token stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
        has_stopped = true;
    };
    auto const outcome =
        loop.run(with_timeout(wait_for(until_stopped), std::chrono::milliseconds{5}));
    EXPECT_FALSE(outcome);
    EXPECT_TRUE(has_stopped) << "the thread was joined";
}

} // namespace
} // namespace postrider::base::on_thread_test
