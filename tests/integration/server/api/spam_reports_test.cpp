// What members reported, over the API.
// covers: X.09
#include "tests/integration/server/api/api_world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::spam_reports_test {
namespace {

TEST(api_spam_reports, are_settled_by_an_undo) {
    api_world world;
    world.database.execute(
        "insert into postrider.message (lane_id, job_id, conversation_id, position, chat_id, role, "
        "id, content, sender_id, sender_name, telegram_message_id, number_elsewhere) values "
        "(1, 42, 9, 0, -100, 'user', 'm2', 'fine words', 8, 'Bob', 9, 9); "
        "insert into postrider.spam_report (chat_id, message_id, user_id) values (-100, 9, 5)"
    );

    auto const undone = world.post("/api/v1/spam/verdicts/-100/9/undo");

    EXPECT_EQ(undone.status, 200);
    EXPECT_EQ(undone.body.at("user").as_int64(), 8);
    EXPECT_EQ(undone.body.at("approved_by").as_string(), "owner");
    EXPECT_EQ(world.database.value("select count(*) from postrider.spam_report"), "0");
    EXPECT_EQ(
        world.database.value("select count(*) from postrider.job where kind = 'moderation_by_hand'"
        ),
        "0"
    ) << "Telegram has nothing to undo";
}

} // namespace
} // namespace postrider::tests::spam_reports_test
