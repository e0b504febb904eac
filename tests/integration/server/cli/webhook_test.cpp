// `bot webhook set` against a simulated Telegram.
#include "base/json/text.hpp"
#include "server/cli/run.hpp"
#include "tests/support/fake_telegram.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace postrider::cli::webhook_test {
namespace {

// The kinds of updates that Telegram is told to send.
std::string updates_asked_for(base::environment const& more) {
    tests::fake_telegram telegram;
    base::environment environment{
        {"TELEGRAM_BOT_TOKEN", telegram.token()},
        {"TELEGRAM_API_BASE", telegram.api_base()},
        {"TELEGRAM_WEBHOOK_SECRET", "a-secret"}, // so that no database is asked for one
        {"POSTRIDER_PUBLIC_URL", "https://bot.example.org"}};
    environment.insert(more.begin(), more.end());
    std::ostringstream out, err;
    EXPECT_EQ(run({"bot", "webhook", "set"}, environment, out, err), 0) << err.str();
    auto const calls = telegram.calls("setWebhook");
    return base::json_text(calls.at(0).params.at("allowed_updates"));
}

// As the server does it, which would else be undone.
TEST(bot_webhook_set, asks_for_changes_of_members_where_groups_are_served) {
    auto const with_group = updates_asked_for({{"POSTRIDER_ALLOWED_CHATS", "-100"}});
    auto const without = updates_asked_for({{"POSTRIDER_ALLOWED_USERS", "10"}});

    EXPECT_THAT(with_group, testing::HasSubstr("\"chat_member\""));
    EXPECT_THAT(without, testing::Not(testing::HasSubstr("\"chat_member\"")));
}

} // namespace
} // namespace postrider::cli::webhook_test
