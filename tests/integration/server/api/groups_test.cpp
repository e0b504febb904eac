// The groups of the bots, over the API.
#include "tests/integration/server/api/api_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::groups_test {
namespace {

using testing::HasSubstr;

// What people and the bot said in the group; the turn of the last message is job 41.
constexpr auto two_messages = R"sql(
insert into postrider.lane (lane_id, lane_key, bot_id, chat_id, conversation_id)
overriding system value values (3, '1:-100:0', 1, -100, 11);
insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, finished_at, state, kind)
values (60, 3, 11, 0, '2026-11-21T10:00:00Z', '2026-11-21T10:00:01Z', 'completed', 'turn'),
       (61, 3, 11, 0, '2026-11-21T10:05:00Z', '2026-11-21T10:05:01Z', 'completed', 'turn');
insert into postrider.message (lane_id, job_id, conversation_id, position, chat_id, role, id, content, sender_id, sender_name,
                               telegram_message_id, number_elsewhere, origin, sent_at, created_at, removed_at)
values (3, 60, 11, 0, -100, 'user', 'g1', 'ferns <b>grow</b>', 7, 'Ada', 5, 5, 'person', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z', null),
       (3, 61, 11, 0, -100, 'user', 'g2', 'buy now', 8, 'Eve', 6, 6, 'person', '2026-11-21T10:05:00Z', '2026-11-21T10:05:00Z',
        '2026-11-21T10:05:01Z');
insert into postrider.spam_verdict (chat_id, message_id, wording, user_id, is_spam, points, threshold, checks, content)
values (-100, 5, 1, 7, false, 0, 100, '[]', 'ferns'), (-100, 6, 2, 8, true, 120, 100, '[]', 'buy now');
)sql";

// covers: X.09
TEST(api_groups, show_what_happens_and_what_the_bot_lacks) {
    api_world world;
    world.database.execute(two_messages);
    auto& group = world.groups_at_telegram.says.front();
    group.is_watched = true;
    group.identity = telegram::bot_identity{user_id{77}, "ferns_bot", false};
    group.own = agent::chat_member{.user = user_id{77}, .name = {}};

    auto const groups = world.get("/api/v1/groups").body;

    auto const& shown = groups.at("groups").at(0);
    EXPECT_EQ(shown.at("title").as_string(), "Ferns");
    EXPECT_EQ(shown.at("chat").as_int64(), -100);
    EXPECT_TRUE(shown.at("privacy_mode").as_bool());
    EXPECT_EQ(shown.at("rights").at("standing").as_string(), "member");
    EXPECT_EQ(shown.at("problems").as_array().size(), 2U);
    EXPECT_THAT(std::string(shown.at("problems").at(0).as_string()), HasSubstr("/setprivacy"));
    EXPECT_EQ(shown.at("last_message_at").as_string(), "2026-11-21T10:05:00.000000Z");
    EXPECT_EQ(shown.at("judged").as_int64(), 2);
    EXPECT_EQ(shown.at("spam").as_int64(), 1);
}

TEST(api_groups, of_which_telegram_told_nothing_are_listed) {
    api_world world;

    auto const shown = world.get("/api/v1/groups").body.at("groups").at(0);

    EXPECT_TRUE(shown.at("privacy_mode").is_null());
    EXPECT_TRUE(shown.at("rights").is_null());
    EXPECT_TRUE(shown.at("problems").as_array().empty());
    EXPECT_TRUE(shown.at("last_message_at").is_null());
}

// covers: S4.04
TEST(api_groups, are_shown_as_their_model_reads_them) {
    api_world world;
    world.database.execute(two_messages);

    auto const shown = world.get("/api/v1/groups/-100/context").body;

    std::string const text(shown.at("text").as_string());
    EXPECT_THAT(text, HasSubstr("=== Recent Messages ==="));
    EXPECT_THAT(text, HasSubstr(R"(id="5" chat="-100" user="7" name="Ada" time="11:00")"));
    EXPECT_THAT(text, HasSubstr("ferns &lt;b&gt;grow"));
    EXPECT_THAT(text, testing::Not(HasSubstr("buy now"))) << "it was deleted";
    EXPECT_EQ(shown.at("messages").as_int64(), 1);
    EXPECT_TRUE(shown.at("summary").is_null());
    EXPECT_EQ(world.get("/api/v1/groups/-300/context").code(), "not_found");
}

// covers: S4.07
TEST(api_groups, forget_a_message_that_a_person_deleted) {
    api_world world;
    world.database.execute(two_messages);

    auto const removed = world.ask("DELETE", "/api/v1/groups/-100/messages/5");

    EXPECT_EQ(removed.status, 204);
    EXPECT_EQ(world.get("/api/v1/groups/-100/context").body.at("messages").as_int64(), 0);
    EXPECT_EQ(
        world.database.value("select actor || ' ' || subject from postrider.audit where kind = "
                             "'message_removed'"),
        "owner message:-100/5"
    );
    EXPECT_EQ(world.ask("DELETE", "/api/v1/groups/-300/messages/5").code(), "not_found");
}

TEST(api_groups, in_which_nobody_wrote_are_empty) {
    api_world world;

    auto const shown = world.get("/api/v1/groups/-100/context").body;

    EXPECT_EQ(shown.at("messages").as_int64(), 0);
}

TEST(api_group_messages, tell_when_a_message_was_deleted) {
    api_world world;
    world.database.execute(two_messages);

    auto const messages = world.get("/api/v1/lanes/1%3A-100%3A0/messages").body.at("messages");

    EXPECT_TRUE(messages.at(0).at("removed").as_bool());
    EXPECT_EQ(messages.at(0).at("removed_at").as_string(), "2026-11-21T10:05:01.000000Z");
    EXPECT_FALSE(messages.at(1).at("removed").as_bool());
    EXPECT_TRUE(messages.at(1).at("removed_at").is_null());
}

} // namespace
} // namespace postrider::tests::groups_test
