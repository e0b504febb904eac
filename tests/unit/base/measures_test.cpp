#include "base/measures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::base::measures_test {
namespace {

using testing::ElementsAre;
using testing::Key;
using testing::UnorderedElementsAre;
using namespace std::chrono_literals;

std::uint64_t count_of(durations const& all, std::string const& name, std::string const& outcome) {
    return all.all().at(name).at(outcome).cumulative().back();
}

TEST(histogram, counts_a_value_at_its_bound_and_all_behind_it) {
    constexpr static double bounds[] = {1, 2, 4};
    histogram sizes(bounds);

    for (double const size : {0.0, 1.0, 1.5, 4.0, 100.0}) sizes.observe(size);

    EXPECT_THAT(sizes.cumulative(), ElementsAre(2u, 3u, 4u, 5u));
    EXPECT_DOUBLE_EQ(sizes.sum(), 106.5);
}

TEST(series, have_a_bound_on_their_names) {
    durations tools(call_bounds, 3);

    for (int number = 0; number < 1000; ++number)
        tools.observe("tool_" + std::to_string(number), number % 2 == 0 ? "" : "timeout", 10ms);

    EXPECT_THAT(
        tools.all(),
        UnorderedElementsAre(
            Key("tool_0"), Key("tool_1"), Key("tool_2"), Key(std::string(other_name))
        )
    );
    EXPECT_EQ(count_of(tools, std::string(other_name), ""), 498u);
    EXPECT_EQ(count_of(tools, std::string(other_name), "timeout"), 499u);
    tools.observe("tool_1", "timeout", 10ms);
    EXPECT_EQ(count_of(tools, "tool_1", "timeout"), 2u) << "a known name keeps its series";
}

TEST(series, keep_a_long_name_s_beginning) {
    durations models(call_bounds);

    models.observe(std::string(127, 'm') + "é" + std::string(5000, 'x'), "", 10ms);
    models.observe(std::string(127, 'm') + "é", "", 10ms);

    EXPECT_THAT(models.all(), UnorderedElementsAre(Key(std::string(127, 'm'))));
}

TEST(stopwatch, counts_an_end_that_nobody_told_as_cancelled) {
    manual_clock clock;
    durations calls(call_bounds);
    {
        stopwatch told(&calls, "a", clock);
        clock.advance(2s);
        told.succeeded();
        clock.advance(2s);
    }
    {
        stopwatch failed(&calls, "a", clock);
        failed.failed(errc::timeout);
    }
    { stopwatch const cut_off(&calls, "a", clock); }
    { stopwatch const uncounted(nullptr, "a", clock); }

    EXPECT_THAT(
        calls.all().at("a"), UnorderedElementsAre(Key(""), Key("timeout"), Key("cancelled"))
    );
    EXPECT_DOUBLE_EQ(calls.all().at("a").at("").sum(), 2.0);
}

} // namespace
} // namespace postrider::base::measures_test
