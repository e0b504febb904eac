// Reactions of people to messages, as feedback that starts nothing.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::reactions_test {
namespace {

std::string reaction(std::int64_t update, user_id user, std::string_view now) {
    boost::json::object const person{{"id", base::raw(user)}, {"first_name", "Al"}};
    boost::json::array emojis;
    if (!now.empty()) emojis.push_back(boost::json::object{{"type", "emoji"}, {"emoji", now}});
    return boost::json::serialize(boost::json::object{
        {"update_id", update},
        {"message_reaction",
         {{"chat", {{"id", base::raw(user)}, {"type", "private"}}},
          {"message_id", 1000},
          {"user", person},
          {"date", 1795229160},
          {"old_reaction", boost::json::array{}},
          {"new_reaction", emojis}}}});
}

std::string kept(intake_world const& w) {
    return w.value("select coalesce(detail ->> 'reactions', '-') from postrider.message");
}

TEST(reactions, stand_with_their_message_and_start_nothing) {
    intake_world w;
    w.fern.settings.reactions = true;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));

    EXPECT_EQ(w.accept(reaction(2, alex, "👍"))->disposition, "event");
    EXPECT_EQ(kept(w), R"({"10": ["👍"]})");
    EXPECT_EQ(w.accept(reaction(3, alex, "🔥"))->disposition, "event");
    EXPECT_EQ(kept(w), R"({"10": ["🔥"]})");
    EXPECT_FALSE(w.accept(reaction(3, alex, "👎"))->is_new);
    EXPECT_EQ(w.accept(reaction(4, alex, ""))->disposition, "event");
    EXPECT_EQ(kept(w), "{}");

    EXPECT_EQ(w.value("select count(*) from postrider.job"), "1");
}

TEST(reactions, of_strangers_and_where_nobody_asks_for_them_are_ignored) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));
    EXPECT_EQ(w.accept(reaction(2, alex, "👍"))->disposition, "ignored");

    w.fern.settings.reactions = true;
    EXPECT_EQ(w.accept(reaction(3, stranger_id, "👍"))->disposition, "ignored");
    EXPECT_EQ(kept(w), "-");
    EXPECT_EQ(
        w.value(
            "select string_agg(reason, ', ' order by update_id) from postrider.inbox where reason "
            "is not null"
        ),
        "kind:message_reaction, allowlist"
    );
}

} // namespace
} // namespace postrider::telegram::reactions_test
