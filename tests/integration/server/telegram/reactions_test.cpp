// Reactions of people to messages, as feedback that starts nothing.
#include "tests/integration/server/telegram/intake_world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::reactions_test {
namespace {

constexpr chat_id group{-100};

// In the person's private chat, or in the group.
std::string reaction(
    std::int64_t update,
    user_id user,
    std::string_view now,
    std::optional<chat_id> chat = {},
    std::int64_t message = 1000
) {
    boost::json::object const person{{"id", base::raw(user)}, {"first_name", "Al"}};
    boost::json::array emojis;
    if (!now.empty()) emojis.push_back(boost::json::object{{"type", "emoji"}, {"emoji", now}});
    return boost::json::serialize(boost::json::object{
        {"update_id", update},
        {"message_reaction",
         {{"chat",
           {{"id", chat ? base::raw(*chat) : base::raw(user)},
            {"type", chat ? "supergroup" : "private"}}},
          {"message_id", message},
          {"user", person},
          {"date", 1795229160},
          {"old_reaction", boost::json::array{}},
          {"new_reaction", emojis}}}});
}

std::string stored_reactions(intake_world const& w) {
    return w.value("select coalesce(detail ->> 'reactions', '-') from postrider.message");
}

TEST(reactions, stand_with_their_message_and_start_nothing) {
    intake_world w;
    w.fern.settings.reactions = true;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));

    EXPECT_EQ(w.accept(reaction(2, alex, "👍"))->disposition, "event");
    EXPECT_EQ(stored_reactions(w), R"({"10": ["👍"]})");
    EXPECT_EQ(w.accept(reaction(3, alex, "🔥"))->disposition, "event");
    EXPECT_EQ(stored_reactions(w), R"({"10": ["🔥"]})");
    EXPECT_FALSE(w.accept(reaction(3, alex, "👎"))->is_new);
    EXPECT_EQ(w.accept(reaction(4, alex, ""))->disposition, "event");
    EXPECT_EQ(stored_reactions(w), R"({"10": []})") << "it was taken back";

    EXPECT_EQ(w.value("select count(*) from postrider.job"), "1");
}

TEST(reactions, of_several_people_at_once_are_all_kept) {
    intake_world w;
    w.fern.settings.reactions = true;
    ASSERT_TRUE(w.accept(in_group(1, alex, "@fern_bot hello")));

    auto const stored = w.accept_all(
        {reaction(2, alex, "👍", group, 1001), reaction(3, stranger_id, "🔥", group, 1001)}
    );

    for (auto const& reacted : stored) ASSERT_TRUE(reacted);
    EXPECT_EQ(stored_reactions(w), R"({"10": ["👍"], "666": ["🔥"]})");
}

TEST(reactions, that_were_never_there_are_not_taken_back) {
    intake_world w;
    w.fern.settings.reactions = true;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));

    EXPECT_EQ(w.accept(reaction(2, alex, ""))->disposition, "event");

    EXPECT_EQ(stored_reactions(w), "-");
}

TEST(reactions, of_strangers_and_where_nobody_asks_for_them_are_ignored) {
    intake_world w;
    ASSERT_TRUE(w.accept(w.body(1, alex, "hello")));
    EXPECT_EQ(w.accept(reaction(2, alex, "👍"))->disposition, "ignored");

    w.fern.settings.reactions = true;
    EXPECT_EQ(w.accept(reaction(3, stranger_id, "👍"))->disposition, "ignored");
    EXPECT_EQ(stored_reactions(w), "-");
    EXPECT_EQ(
        w.value(
            "select string_agg(reason, ', ' order by update_id) from postrider.inbox where reason "
            "is not null"
        ),
        "kind:message_reaction, allowlist"
    );
}

TEST(stopped_drafts, are_told_once_and_to_nobody_of_strangers) {
    intake_world w;
    auto const stop = [](std::int64_t update, user_id in) {
        return boost::json::serialize(boost::json::object{
            {"update_id", update},
            {"stopped_message_generation",
             {{"chat", {{"id", base::raw(in)}, {"type", "private"}}}, {"draft_id", 42}}}});
    };

    EXPECT_EQ(w.accept(stop(1, alex))->disposition, "event");
    EXPECT_FALSE(w.accept(stop(1, alex))->is_new);
    EXPECT_EQ(w.accept(stop(2, stranger_id))->disposition, "ignored");

    ASSERT_EQ(w.stopped.size(), 1u);
    EXPECT_EQ(w.stopped[0].first, chat_id{base::raw(alex)});
    EXPECT_EQ(w.stopped[0].second, 42);
}

} // namespace
} // namespace postrider::telegram::reactions_test
