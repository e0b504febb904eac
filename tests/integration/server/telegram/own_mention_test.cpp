#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::own_mention_test {
namespace {

constexpr std::string_view mention = "mention";
constexpr std::string_view bot_command = "bot_command";

std::string in_group(
    std::int64_t update,
    std::int64_t message,
    std::string_view text,
    boost::json::object mark,
    std::string_view kind = "message"
) {
    boost::json::object who{{"id", base::raw(alex)}, {"first_name", "Al"}};
    boost::json::object chat{{"id", -100}, {"type", "supergroup"}};
    boost::json::object body{
        {"message_id", message}, {"from", who}, {"chat", chat}, {"text", text}};
    body["entities"] = boost::json::array{std::move(mark)};
    return boost::json::serialize(boost::json::object{{"update_id", update}, {kind, body}});
}

boost::json::object mark_of(std::string_view type, int offset, int length) {
    return {{"type", type}, {"offset", offset}, {"length", length}};
}

std::string texts(intake_world const& w) {
    return w.value("select string_agg(content, ', ' order by job_id) from postrider.message");
}

// So "yes" answers what waits for it, and rules and flows read what they are asked.
TEST(own_mention, is_not_stored_with_what_is_said_to_the_bot) {
    intake_world w;
    auto const answer = w.accept(in_group(1, 1, "@Fern_bot yes", mark_of(mention, 0, 9)));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->disposition, "job");
    ASSERT_TRUE(w.accept(in_group(2, 2, "/report@fern_bot now", mark_of(bot_command, 0, 16))));

    EXPECT_EQ(texts(w), "yes, /report now");
    EXPECT_EQ(w.value("select count(*) from postrider.job where input ? 'addressed'"), "0")
        << "it is said to the bot";

    ASSERT_TRUE(w.accept(in_group(3, 1, "no @fern_bot", mark_of(mention, 3, 9), "edited_message")));
    EXPECT_EQ(texts(w), "no, /report now");
}

TEST(own_mention, before_a_command_leaves_the_command) {
    intake_world w;
    ASSERT_TRUE(w.accept(in_group(1, 1, "@fern_bot /new", mark_of(mention, 0, 9))));
    EXPECT_EQ(w.value("select input ->> 'command' from postrider.job"), "/new");
}

} // namespace
} // namespace postrider::telegram::own_mention_test
