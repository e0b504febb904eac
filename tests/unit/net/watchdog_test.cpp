#include "net/watchdog.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::net::watchdog_test {
namespace {

using namespace std::chrono_literals;
using tests::loop;

class watched : public testing::Test {
protected:
    loop io;
    int calls = 0;
    std::optional<watchdog> guard{std::in_place, io.executor(), [this] { ++calls; }};

    base::awaitable<void> poll(int& count, int least) {
        while (count < least) co_await base::sleep_for(1ms);
    }
    void until_called(int times) { io.run(poll(calls, times)); }
    // A deadline of 5 ms that was set before passes first.
    void pass() {
        int passed = 0;
        watchdog later(io.executor(), [&passed] { ++passed; });
        later.expect_within(10ms);
        io.run(poll(passed, 1));
    }
};

TEST_F(watched, calls_once_when_the_deadline_passes) {
    guard->expect_within(5ms);
    until_called(1);
    pass();

    EXPECT_EQ(calls, 1);
    EXPECT_TRUE(guard->expired());
}

TEST_F(watched, a_later_deadline_takes_the_place_of_an_earlier_one) {
    guard->expect_within(5ms);
    guard->expect_within(1h);
    pass();

    EXPECT_EQ(calls, 0);
    EXPECT_FALSE(guard->expired());
}

TEST_F(watched, a_deadline_that_was_moved_still_comes) {
    guard->expect_within(5ms);
    guard->expect_within(20ms);
    until_called(1);
    pass();

    EXPECT_EQ(calls, 1);
}

TEST_F(watched, an_earlier_deadline_takes_the_place_of_a_later_one) {
    guard->expect_within(1h);
    guard->expect_within(5ms);
    until_called(1);

    EXPECT_EQ(calls, 1);
}

TEST_F(watched, rests) {
    guard->expect_within(5ms);
    guard->rest();
    pass();

    EXPECT_EQ(calls, 0);
}

TEST_F(watched, watches_again_after_it_has_called) {
    guard->expect_within(5ms);
    until_called(1);
    guard->expect_within(5ms);
    EXPECT_FALSE(guard->expired());
    until_called(2);

    EXPECT_EQ(calls, 2);
}

TEST_F(watched, does_not_call_once_it_is_gone) {
    guard->expect_within(5ms);
    guard.reset();
    pass();

    EXPECT_EQ(calls, 0);
}

} // namespace
} // namespace postrider::net::watchdog_test
