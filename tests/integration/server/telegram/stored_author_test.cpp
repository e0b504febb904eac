#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::stored_author_test {
namespace {

TEST(stored_author, is_what_telegram_says_of_the_message) {
    intake_world w;
    ASSERT_TRUE(w.accept(
        R"({"update_id":1,"message":{"message_id":7,"from":{"id":10,"first_name":"Alex","last_name":"K",
        "username":"alex_k"},"chat":{"id":10,"type":"private"},"date":1795228800,
        "reply_to_message":{"message_id":5,"from":{"id":99},"chat":{"id":10}},"quote":{"text":"weekly"},
        "forward_origin":{"type":"hidden_user","sender_user_name":"Ann","date":1795228700},
        "caption":"how often?","photo":[{"file_id":"a"}]}})"
    ));

    EXPECT_EQ(
        w.value(
            "select author = '{\"id\": 10, \"name\": \"Alex K\", \"username\": \"alex_k\", "
            "\"first_name\": \"Alex\", \"last_name\": \"K\", \"reply_user\": 99, "
            "\"quote\": \"weekly\", \"media\": \"photo\", \"forward\": {\"kind\": \"hidden_user\", "
            "\"name\": \"Ann\", \"date\": 1795228700}}' from postrider.messages"
        ),
        "t"
    );
    EXPECT_EQ(
        w.value("select origin || ' ' || content from postrider.messages"), "person how often?"
    );
}

} // namespace
} // namespace postrider::telegram::stored_author_test
