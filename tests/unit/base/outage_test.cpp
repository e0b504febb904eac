#include "base/outage.hpp"

#include <gtest/gtest.h>

namespace postrider::base::outage_test {
namespace {

using namespace std::chrono_literals;

TEST(outage, is_told_when_it_begins_and_once_a_minute) {
    manual_clock clock;
    outage away;

    EXPECT_TRUE(away.failed(clock.steady()));
    int told = 0;
    for (int second = 1; second <= 120; ++second) {
        clock.advance(1s);
        told += away.failed(clock.steady()) ? 1 : 0;
    }

    EXPECT_EQ(told, 2);
}

TEST(outage, is_over_once) {
    manual_clock clock;
    outage away;
    EXPECT_FALSE(away.over(clock.steady()));

    (void)away.failed(clock.steady());
    clock.advance(90s);

    EXPECT_EQ(away.over(clock.steady()), 90s);
    EXPECT_FALSE(away.over(clock.steady()));
    EXPECT_TRUE(away.failed(clock.steady())) << "another one";
}

TEST(outage, that_is_tolerated_is_not_reported) {
    manual_clock clock;
    outage away;

    EXPECT_FALSE(away.failed(clock.steady(), 30s));
    clock.advance(29s);
    EXPECT_FALSE(away.failed(clock.steady(), 30s));
    EXPECT_FALSE(away.over(clock.steady()));

    EXPECT_FALSE(away.failed(clock.steady(), 30s));
    clock.advance(30s);
    EXPECT_TRUE(away.failed(clock.steady(), 30s)) << "it lasts";
    EXPECT_EQ(away.over(clock.steady()), 30s);
}

} // namespace
} // namespace postrider::base::outage_test
