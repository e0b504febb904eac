#include "server/views/record_json.hpp"

#include <gtest/gtest.h>

namespace postrider::server::record_json_test {
namespace {

TEST(record_cursor, leads_back_to_the_message_where_its_page_ended) {
    auto const place = lane_message_place_from(cursor_of(storage::lane_message_place{41, 7}));

    ASSERT_TRUE(place);
    EXPECT_EQ(place->job, 41);
    EXPECT_EQ(place->position, 7);
    for (auto const* text : {"", ".", "41", "41.", ".7", "41.7.1", "-41.7", "41.x", "+1.2"})
        EXPECT_FALSE(lane_message_place_from(text)) << text;
}

TEST(record_cursor, leads_back_to_the_update_where_its_page_ended) {
    storage::update_place const last{"2026-11-29T16:21:36.880283Z", 1, 77};
    auto const place = update_place_from(cursor_of(last));

    ASSERT_TRUE(place);
    EXPECT_EQ(place->received_at, last.received_at);
    EXPECT_EQ(place->bot, 1);
    EXPECT_EQ(place->update, 77);
    for (auto const* text :
         {"", ",,", "77", "infinity,1,77", "2026-11-29T16:21:36Z,1", "2026-11-29T16:21:36Z,1,x"})
        EXPECT_FALSE(update_place_from(text)) << text;
}

} // namespace
} // namespace postrider::server::record_json_test
