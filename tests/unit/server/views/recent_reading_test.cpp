#include "server/views/recent_reading.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::server::recent_reading_test {
namespace {

using namespace std::chrono_literals;

class recent : public testing::Test {
protected:
    base::awaitable<base::result<int>> read() {
        ++reads;
        // As a database does, it answers later.
        co_await base::asio::post(io.executor(), base::asio::use_awaitable);
        if (is_stuck) co_await base::sleep_for(1h);
        if (failure) co_return *failure;
        co_return reads;
    }
    base::awaitable<void> ask(int& answer) {
        auto const found = co_await numbers.get();
        answer = found ? **found : -1;
    }

    tests::loop io;
    base::manual_clock clock;
    int reads = 0;
    bool is_stuck = false;
    std::optional<base::error> failure;
    recent_reading<int> numbers{clock, 5s, [this] { return read(); }};
};

TEST_F(recent, serves_all_who_ask_while_it_is_fresh) {
    EXPECT_EQ(**io.run(numbers.get()), 1);
    clock.advance(4s);
    EXPECT_EQ(**io.run(numbers.get()), 1);
    clock.advance(1s);
    EXPECT_EQ(**io.run(numbers.get()), 2);
}

TEST_F(recent, is_read_once_for_those_who_ask_together) {
    base::task_group askers(io.executor());
    std::vector<int> answers(20, 0);
    for (auto& answer : answers) askers.spawn("ask", ask(answer));

    io.run(askers.join());

    EXPECT_EQ(answers, std::vector<int>(20, 1));
    EXPECT_EQ(reads, 1);
}

TEST_F(recent, is_read_by_another_one_when_the_reader_goes) {
    base::task_group askers(io.executor());
    is_stuck = true;
    int first = 0;
    int second = 0;
    auto const leader = askers.spawn("ask", ask(first));
    askers.spawn("ask", ask(second));
    io.run(base::sleep_for(1ms));
    is_stuck = false;
    askers.cancel(leader);

    io.run(askers.join());

    EXPECT_EQ(first, 0);
    EXPECT_GT(second, 0);
}

TEST_F(recent, tells_of_a_failure_and_reads_again) {
    failure = base::errc::unavailable;
    EXPECT_EQ(io.run(numbers.get()).error(), base::errc::unavailable);
    failure.reset();

    EXPECT_TRUE(io.run(numbers.get()).has_value());
}

} // namespace
} // namespace postrider::server::recent_reading_test
