// An unban over the API: what it teaches the spam filter, before and after it.
// covers: X.09
#include "tests/integration/server/api/api_world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::spam_unban_test {
namespace {

constexpr auto banned = R"sql(
insert into postrider.spam_catch (chat_id, message_id, user_id, bot_id, name, action, content)
values (-100, 5, 7, 1, 'Eve', 'ban', 'purple elephants dance on the roof tonight');
insert into postrider.spam_member (chat_id, user_id, banned_at, banned_by) values (-100, 7, postrider.now(), 'filter');
)sql";

bool is_elephant_spam(api_world& world) {
    auto const check = R"({"text": "purple elephants dance on the roof tonight"})";
    return world.post("/api/v1/spam/check", check).body.at("spam").as_bool();
}

TEST(api_spam_unban, teaches_what_the_ban_was_for_and_says_so_before) {
    api_world world;
    world.database.execute(banned);
    world.post(
        "/api/v1/spam/samples",
        R"({"text": "purple elephants dance on the roof tonight", "kind": "spam"})"
    );
    EXPECT_TRUE(is_elephant_spam(world));
    std::string const unban = "/api/v1/spam/members/-100/7/unban";

    auto const shown = world.get(unban).body;
    auto const unbanned = world.post(unban);

    ASSERT_EQ(shown.at("texts").as_array().size(), 1u);
    auto const& text = shown.at("effect").at("text");
    EXPECT_EQ(text.at("text"), shown.at("texts").at(0));
    EXPECT_TRUE(text.at("was_spam").as_bool());
    EXPECT_FALSE(text.at("is_spam").as_bool()) << "without the sample of spam";
    EXPECT_EQ(unbanned.status, 200);
    EXPECT_TRUE(unbanned.body.at("banned_at").is_null());
    EXPECT_FALSE(is_elephant_spam(world));
    EXPECT_EQ(
        world.database.value("select string_agg(kind || ' ' || (withdrawn_at is null) || ' ' || "
                             "origin, ',' order by sample_id) from postrider.spam_sample"),
        "spam false command,ham true unban"
    );
    EXPECT_EQ(world.database.value("select undone_by from postrider.spam_catch"), "owner");
    auto const after = world.get(unban).body;
    EXPECT_TRUE(after.at("texts").as_array().empty());
    EXPECT_TRUE(after.at("effect").is_null());
    EXPECT_EQ(world.get("/api/v1/spam/members/eggs/7/unban").status, 400);
}

} // namespace
} // namespace postrider::tests::spam_unban_test
