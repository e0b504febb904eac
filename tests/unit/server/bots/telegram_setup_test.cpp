// How bots are set up, against a simulated Telegram.
#include "server/bots/telegram_setup.hpp"
#include "tests/support/fake_telegram.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::telegram_setup_test {
namespace {

using testing::HasSubstr;
using tests::fake_telegram;

struct telegram_setup : testing::Test {
    fake_telegram telegram;
    tests::loop loop;
    std::unique_ptr<net::http_client> http = net::make_http_client(loop.executor());
    telegram::bot bot;
    std::unique_ptr<bot_setup> setup = make_bot_setup({&bot}, base::system_clock());

    telegram_setup() {
        bot.webhook_secret = base::secret("a-secret");
        bot.api =
            telegram::make_bot_api(
                *http, base::system_clock(), {telegram.api_base(), base::secret(telegram.token())}
            )
                .value();
    }
    ~telegram_setup() override { http->close(); }

    bot_check check() { return loop.run(setup->check("main")); }
    finding finding_of(std::string_view subject) {
        for (auto const& found : check().findings)
            if (found.subject == subject) return found;
        return {};
    }
};

TEST_F(telegram_setup, sets_and_deletes_the_webhook) {
    bot.webhook_url = "http://127.0.0.1:1/telegram/main";

    auto const before = finding_of("webhook main");
    auto const url = loop.run(setup->set_webhook("main"));
    auto const after = finding_of("webhook main");
    auto const deleted = loop.run(setup->delete_webhook("main"));

    EXPECT_EQ(before.verdict, verdict::warn);
    EXPECT_THAT(before.detail, HasSubstr("not set"));
    EXPECT_EQ(url.value(), bot.webhook_url);
    EXPECT_EQ(after.verdict, verdict::ok) << after.detail;
    EXPECT_EQ(telegram.calls("setWebhook").at(0).params.at("secret_token"), "a-secret");
    EXPECT_TRUE(deleted);
    EXPECT_EQ(telegram.webhook_url(), "");
}

TEST_F(telegram_setup, says_what_the_bot_is_and_sees) {
    auto const checked = check();

    EXPECT_EQ(checked.wanted_url, "");
    EXPECT_TRUE(checked.webhook);
    EXPECT_THAT(finding_of("token main").detail, HasSubstr("@fern_bot"));
    EXPECT_EQ(finding_of("groups main").verdict, verdict::ok);
}

TEST_F(telegram_setup, says_that_a_token_is_refused) {
    telegram.fail({.times = -1, .fault = fake_telegram::unauthorized()});

    auto const checked = check();

    ASSERT_EQ(checked.findings.size(), 1u);
    EXPECT_EQ(checked.findings[0].verdict, verdict::fail);
    EXPECT_THAT(checked.findings[0].detail, HasSubstr("@BotFather"));
    EXPECT_FALSE(checked.webhook);
}

TEST_F(telegram_setup, sets_no_webhook_where_the_server_polls) {
    auto const refused = loop.run(setup->set_webhook("main"));

    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), base::errc::invalid);
    EXPECT_THAT(refused.error().detail, HasSubstr("POSTRIDER_PUBLIC_URL"));
    EXPECT_TRUE(setup->knows("main"));
    EXPECT_FALSE(setup->knows("other"));
}

} // namespace
} // namespace postrider::server::telegram_setup_test
