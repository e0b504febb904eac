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

TEST(message_edit, says_when_it_was_made) {
    message_edit const edit{
        .at = {bot_id{1}, chat_id{-100}, {}},
        .message = telegram_message_id{50},
        .text = "new",
        .order = storage::edit_order{1795228800, update_id{9}}};

    EXPECT_EQ(
        apply_edit(edit, "1:-100:0").at(1).row,
        R"({"lane_key":"1:-100:0","bot_id":1,"chat_id":-100,"telegram_message_id":50,"content":"new","edit_order":[1795228800,9]})"
    );
}

} // namespace
} // namespace postrider::agent::message_edit_test
