#include "agent/talk/message_edit.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::message_edit_test {
namespace {

TEST(message_edit, changes_the_message_of_its_chat_once_its_lane_is_locked) {
    message_edit const edit{
        .at = {bot_id{1}, chat_id{-100}, thread_id{7}},
        .message = telegram_message_id{50},
        .text = "new"};

    auto const rows = apply_edit(edit, "1:-100:7");

    ASSERT_EQ(rows.size(), 2u);
    EXPECT_LT(rows[0].statement->order, rows[1].statement->order);
    EXPECT_EQ(rows[0].row, R"({"lane_key":"1:-100:7","chat_id":-100,"telegram_message_id":50})");
    EXPECT_EQ(
        rows[1].row,
        R"({"lane_key":"1:-100:7","bot_id":1,"chat_id":-100,"telegram_message_id":50,"content":"new"})"
    );
}

} // namespace
} // namespace postrider::agent::message_edit_test
