#include "agent/flow/run/message_place.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace postrider::tests {

namespace {

using agent::flow::message_place;

TEST(message_place, follows_the_order_of_the_nodes_behind_the_question) {
    EXPECT_GT(message_place(0, "", 0, 0), 0);
    EXPECT_LT(message_place(0, "", 0, 0), message_place(0, "", 0, 1));
    EXPECT_LT(message_place(0, "", 0, 30'000), message_place(1, "", 1, 0));
    EXPECT_LT(message_place(3, "call/1/", 400, 9), message_place(4, "", 4, 0)) << "with its caller";
    EXPECT_GT(message_place(4000, "call/1/", 4000, 30'000), 0);
}

TEST(message_place, is_the_same_in_every_build) {
    EXPECT_EQ(message_place(2, "call/1/", 3, 4), 8025214977933316);
}

TEST(message_place, tells_the_calls_of_a_node_apart) {
    std::set<std::int64_t> places;
    for (int call = 1; call <= 200; ++call)
        for (std::size_t node = 0; node < 5; ++node)
            places.insert(message_place(0, "call/" + std::to_string(call) + '/', node, 0));
    EXPECT_EQ(places.size(), 1000u);
}

} // namespace

} // namespace postrider::tests
