// What keeps a bot from watching its groups, with the steps by which people change it.
#include "server/views/group_checks.hpp"
#include "tests/support/fake_telegram.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::group_checks_test {
namespace {

using testing::HasSubstr;
using tests::fake_telegram;

telegram::bot_identity const hidden{user_id{99}, "fern_bot", false};
telegram::bot_identity const open{user_id{99}, "fern_bot", true};

TEST(groups_finding, warns_of_privacy_mode_where_flows_watch_groups) {
    auto const finding = groups_finding("main", hidden, true);

    EXPECT_EQ(finding.verdict, verdict::warn);
    EXPECT_THAT(finding.detail, HasSubstr("/setprivacy to @BotFather, choose @fern_bot"));
    EXPECT_THAT(finding.detail, HasSubstr("remove the bot from each group and add it again"));
    EXPECT_EQ(groups_finding("main", hidden, false).verdict, verdict::ok);
    EXPECT_EQ(groups_finding("main", open, true).verdict, verdict::ok);
}

struct rights : testing::Test {
    static constexpr chat_id group{-500};
    fake_telegram telegram;
    tests::loop loop;
    std::unique_ptr<net::http_client> http = net::make_http_client(loop.executor());
    std::unique_ptr<telegram::bot_api> api =
        telegram::make_bot_api(
            *http, base::system_clock(), {telegram.api_base(), base::secret(telegram.token())}
        )
            .value();
    telegram::bot_settings settings;

    rights() {
        settings.allowlist.chats = {group};
        telegram.say({.from = user_id{10}, .group = group, .text = "hi"});
    }
    ~rights() override { http->close(); }

    findings look(bool watches = true) {
        auto identity = open;
        identity.id = telegram.bot().id;
        return loop.run(look_at_groups(*api, settings, identity, watches));
    }
};

TEST_F(rights, of_an_administrator_are_looked_at_one_by_one) {
    telegram.set_member(group, telegram.bot().id, "administrator");
    EXPECT_EQ(look().at(1).verdict, verdict::ok);

    telegram.deny(group, telegram.bot().id, "can_restrict_members");
    auto const finding = look().at(1);
    EXPECT_EQ(finding.subject, "group main -500");
    EXPECT_EQ(finding.verdict, verdict::warn);
    EXPECT_THAT(finding.detail, HasSubstr("without the right: Ban users."));
    EXPECT_THAT(finding.detail, HasSubstr("Administrators, @fern_bot"));
}

TEST_F(rights, are_missing_to_a_plain_member_and_to_a_stranger) {
    auto const stranger = look().at(1);
    EXPECT_EQ(stranger.verdict, verdict::warn);
    EXPECT_THAT(stranger.detail, HasSubstr("@fern_bot is no member of this group"));
    EXPECT_THAT(stranger.detail, HasSubstr("correct the id in the configuration"));
    telegram.set_member(group, telegram.bot().id, "left");
    EXPECT_THAT(look().at(1).detail, HasSubstr("@fern_bot is no member of this group"));
    telegram.set_member(group, telegram.bot().id, "member");
    EXPECT_THAT(look().at(1).detail, HasSubstr("no administrator"));
    EXPECT_THAT(look().at(1).detail, HasSubstr("Add administrator"));
}

TEST_F(rights, are_of_no_concern_where_no_flow_watches_groups) {
    EXPECT_EQ(look(false).size(), 1u);
    EXPECT_TRUE(telegram.calls("getChatMember").empty());
}

} // namespace
} // namespace postrider::server::group_checks_test
