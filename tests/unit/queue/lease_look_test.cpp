#include "queue/node/lease_look.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::lease_look_test {

namespace {

using queue::lease_look;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(lease_look, begins_above_the_nodes_own_number) {
    lease_look const look{node_id{100}};

    EXPECT_EQ(look.floor(), 100);
    EXPECT_THAT(look.older(), IsEmpty());
}

TEST(lease_look, rises_once_all_is_over_that_may_have_drawn_below) {
    lease_look look{node_id{100}};

    EXPECT_TRUE(look.note({.drawn = 200, .transaction = 10, .oldest = 10}, {}));
    EXPECT_EQ(look.floor(), 100) << "another transaction may have been at it";
    EXPECT_TRUE(look.note({.drawn = 300, .transaction = 20, .oldest = 15}, {}));
    EXPECT_EQ(look.floor(), 100) << "transaction 15 may have drawn 200";
    EXPECT_TRUE(look.note({.drawn = 400, .transaction = 30, .oldest = 19}, {}));
    EXPECT_EQ(look.floor(), 100);
    EXPECT_TRUE(look.note({.drawn = 500, .transaction = 40, .oldest = 20}, {}));
    EXPECT_EQ(look.floor(), 200);
    EXPECT_TRUE(look.note({.drawn = 600, .transaction = 50, .oldest = 50}, {}));
    EXPECT_EQ(look.floor(), 500);
}

TEST(lease_look, looks_for_leases_of_others_from_the_beginning_until_it_has_risen) {
    lease_look look{node_id{100}};

    EXPECT_TRUE(look.note({.drawn = 200, .transaction = 10, .oldest = 10}, {}));
    EXPECT_EQ(look.floor_of_others(), 0);
    EXPECT_TRUE(look.note({.drawn = 300, .transaction = 20, .oldest = 20}, {}));
    EXPECT_EQ(look.floor_of_others(), 200);
}

TEST(lease_look, begins_anew_where_numbers_fall) {
    for (queue::look_horizon const fallen :
         {queue::look_horizon{.drawn = 299, .transaction = 30, .oldest = 30},
          queue::look_horizon{.drawn = 400, .transaction = 20, .oldest = 20}}) {
        lease_look look{node_id{100}};
        EXPECT_TRUE(look.note({.drawn = 200, .transaction = 10, .oldest = 10}, {}));
        EXPECT_TRUE(look.note({.drawn = 300, .transaction = 20, .oldest = 20}, {lane_epoch{150}}));
        ASSERT_EQ(look.floor(), 200);

        EXPECT_FALSE(look.note(fallen, {lane_epoch{250}}));

        EXPECT_EQ(look.floor(), 0);
        EXPECT_EQ(look.floor_of_others(), 0);
        EXPECT_THAT(look.older(), IsEmpty());
        EXPECT_TRUE(look.note({.drawn = 300, .transaction = 21, .oldest = 21}, {}));
    }
}

TEST(lease_look, asks_by_itself_for_what_it_has_seen_below) {
    lease_look look{node_id{100}};

    EXPECT_TRUE(look.note({.drawn = 200, .transaction = 10, .oldest = 10}, {lane_epoch{150}}));
    EXPECT_THAT(look.older(), IsEmpty());
    EXPECT_TRUE(look.note(
        {.drawn = 300, .transaction = 20, .oldest = 20}, {lane_epoch{150}, lane_epoch{250}}
    ));

    EXPECT_THAT(look.older(), ElementsAre(lane_epoch{150}));
}

} // namespace

} // namespace postrider::tests::lease_look_test
