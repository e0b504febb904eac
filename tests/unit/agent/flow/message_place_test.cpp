#include "agent/flow/run/message_place.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace postrider::tests::message_place_test {

namespace {

using agent::flow::call_place;
using agent::flow::message_place;

TEST(message_place, follows_the_order_in_which_nodes_run_behind_the_question) {
    EXPECT_GT(message_place({}, 0, 0), 0);
    EXPECT_LT(message_place({}, 0, 0), message_place({}, 0, 1));
    EXPECT_LT(message_place({}, 0, 30'000), message_place({}, 1, 0));
    EXPECT_GT(message_place({}, 999, 30'000), 0);
}

TEST(message_place, of_a_called_flow_stands_between_its_callers_messages) {
    std::vector<call_place> const first{{.rank = 3, .k = 2, .number = 1}};
    std::vector<call_place> const second{{.rank = 3, .k = 2, .number = 2}};
    EXPECT_LT(message_place({}, 3, 2), message_place(first, 0, 0));
    EXPECT_LT(message_place(first, 0, 0), message_place(first, 0, 1));
    EXPECT_LT(message_place(first, 0, 30'000), message_place(first, 1, 0));
    EXPECT_LT(message_place(first, 999, 30'000), message_place(second, 0, 0));
    EXPECT_LT(message_place(second, 999, 30'000), message_place({}, 3, 3));
    EXPECT_GT(message_place(second, 999, 30'000), 0);
}

TEST(message_place, below_two_calls_stands_between_the_outer_ones) {
    std::vector<call_place> const deep{{.rank = 3, .k = 2, .number = 1}, {.rank = 4, .k = 7}};
    std::vector<call_place> const outer{{.rank = 3, .k = 2, .number = 1}};
    EXPECT_LT(message_place(outer, 4, 7), message_place(deep, 0, 0));
    EXPECT_LT(message_place(deep, 0, 0), message_place(deep, 0, 1));
    EXPECT_LT(message_place(deep, 999, 30'000), message_place(outer, 4, 8));
}

// A loop in a loop, and a flow that is called there for each item: what they say is not to be lost.
TEST(message_place, is_another_one_in_every_round_and_call) {
    std::set<std::int64_t> places;
    std::size_t count = 0;
    std::int64_t newest = 0;
    for (int outer = 1; outer <= 1000; outer += 37)
        for (int inner = 1; inner <= 100; ++inner)
            for (int item = 0; item < 10; ++item) {
                std::vector<call_place> const calls{
                    {.rank = 3, .k = outer}, {.rank = 5, .k = inner}, {.rank = 7, .k = item}};
                auto const place = message_place(calls, 2, 1);
                EXPECT_GT(place, newest) << outer << " " << inner << " " << item;
                newest = place;
                places.insert(place);
                ++count;
            }
    EXPECT_EQ(places.size(), count);
}

TEST(message_place, of_longest_paths_is_hashed) {
    std::vector<call_place> calls(6, {.rank = 900, .k = 5'000, .number = 300});
    std::set<std::int64_t> places;
    for (int k = 0; k < 1000; ++k) {
        calls.back().k = k;
        auto const place = message_place(calls, 2, 1);
        EXPECT_GT(place, message_place({}, 900, 5'000));
        EXPECT_LT(place, message_place({}, 900, 5'001));
        EXPECT_EQ(place % 2, 0);
        places.insert(place);
    }
    EXPECT_EQ(places.size(), 1000u);
}

// Notices stand at odd places, behind what was said before them.
TEST(message_place, leaves_room_for_what_is_no_part_of_the_history) {
    std::vector<call_place> const called{{.rank = 3, .k = 2, .number = 1}};
    std::vector<call_place> const deep{{.rank = 3, .k = 2, .number = 1}, {.rank = 4, .k = 7}};
    EXPECT_GE(message_place(called, 2, 5) - message_place(called, 2, 4), 64);
    for (int k = 0; k < 100; ++k) {
        EXPECT_EQ(message_place({}, 2, k) % 2, 0);
        EXPECT_EQ(message_place(called, 2, k) % 2, 0);
        EXPECT_EQ(message_place(deep, 2, k) % 2, 0);
    }
}

TEST(message_place, is_the_same_in_every_build) {
    std::vector<call_place> const deep{{.rank = 3, .k = 2, .number = 1}, {.rank = 4, .k = 7}};
    EXPECT_EQ(message_place({}, 2, 4), 900719925474099200);
    EXPECT_EQ(message_place(deep, 5, 6), 1177702816391626752);
}

TEST(message_place, tells_the_calls_of_a_node_apart) {
    std::set<std::int64_t> places;
    for (int item = 0; item < 100; ++item)
        for (int number = 0; number < 3; ++number)
            for (std::size_t rank = 0; rank < 5; ++rank) {
                std::vector<call_place> const calls{{.rank = 0, .k = item, .number = number}};
                places.insert(message_place(calls, rank, 0));
            }
    EXPECT_EQ(places.size(), 1500u);
}

} // namespace

} // namespace postrider::tests::message_place_test
