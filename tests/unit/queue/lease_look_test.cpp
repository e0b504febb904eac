#include "queue/node/lease_look.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests {

namespace {

using queue::lease_look;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(lease_look, begins_above_the_nodes_own_number) {
    lease_look const look{node_id{100}};

    EXPECT_EQ(look.floor(), 100);
    EXPECT_THAT(look.older(), IsEmpty());
}

TEST(lease_look, rises_to_what_was_drawn_before_the_transactions_of_then_were_over) {
    lease_look look{node_id{100}};

    look.note({.drawn = 200, .oldest = 7, .next = 10}, {});
    EXPECT_EQ(look.floor(), 100);
    look.note({.drawn = 300, .oldest = 9, .next = 20}, {});
    EXPECT_EQ(look.floor(), 100) << "transaction 9 may have drawn an epoch up to 200";
    look.note({.drawn = 400, .oldest = 10, .next = 30}, {});
    EXPECT_EQ(look.floor(), 200);
    look.note({.drawn = 500, .oldest = 30, .next = 40}, {});
    EXPECT_EQ(look.floor(), 400);
}

TEST(lease_look, asks_by_itself_for_what_it_has_seen_below) {
    lease_look look{node_id{100}};

    look.note({.drawn = 200, .oldest = 10, .next = 10}, {lane_epoch{150}});
    EXPECT_THAT(look.older(), IsEmpty());
    look.note({.drawn = 300, .oldest = 10, .next = 10}, {lane_epoch{150}, lane_epoch{250}});

    EXPECT_THAT(look.older(), ElementsAre(lane_epoch{150}));
}

} // namespace

} // namespace postrider::tests
