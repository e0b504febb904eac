// What Telegram says of a webhook, in plain words.
#include "server/views/bot_findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::bot_findings_test {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

constexpr base::sys_time now{std::chrono::hours{24}};
std::string const own_url = "https://a.example/telegram/main";

finding with_error(std::string error, base::duration ago = 1min) {
    telegram::webhook_info info{.url = own_url, .pending = 1, .last_error = std::move(error)};
    info.last_error_at = now - std::chrono::duration_cast<base::sys_time::duration>(ago);
    return webhook_finding("main", info, own_url, now);
}

TEST(token_finding, says_in_plain_words_what_is_wrong) {
    auto const failed = [](base::errc code, std::string detail) {
        telegram::api_failure failure;
        failure.cause = base::error(code, std::move(detail));
        return token_finding("token main", failure).detail;
    };

    EXPECT_EQ(
        failed(base::errc::unauthorized, "Unauthorized"),
        "Telegram does not know this token: get the right one from @BotFather"
    );
    EXPECT_THAT(
        failed(base::errc::timeout, "no answer in 10s"),
        testing::StartsWith("Telegram did not answer: no answer in 10s; is the way to Telegram")
    );
}

TEST(webhook_finding, tells_a_wrong_secret_from_an_absent_server) {
    auto const secret = with_error("Wrong response from the webhook: 401 Unauthorized");
    auto const path = with_error("Wrong response from the webhook: 404 Not Found");
    auto const away = with_error("Connection timed out");

    EXPECT_EQ(secret.verdict, verdict::warn);
    EXPECT_THAT(secret.detail, HasSubstr("secret that Telegram sends is not the server's"));
    EXPECT_THAT(secret.advice, HasSubstr("bot webhook set --bot main"));
    EXPECT_THAT(path.detail, HasSubstr("does the proxy pass /telegram/"));
    EXPECT_THAT(away.detail, HasSubstr("does its certificate hold"));
    EXPECT_THAT(away.detail, HasSubstr("1 update waits there"));
}

TEST(webhook_finding, forgets_an_old_error) {
    EXPECT_EQ(with_error("Connection timed out", 1h).verdict, verdict::ok);
}

TEST(webhook_finding, names_another_address_and_many_updates) {
    telegram::webhook_info const other{.url = "https://b.example/x"};
    telegram::webhook_info const many{.url = own_url, .pending = 500};

    EXPECT_THAT(
        webhook_finding("main", other, own_url, now).detail,
        HasSubstr("set to https://b.example/x instead of " + own_url)
    );
    EXPECT_THAT(
        webhook_finding("main", other, "", now).detail, HasSubstr("updates are to be polled")
    );
    EXPECT_THAT(webhook_finding("main", many, own_url, now).detail, HasSubstr("500 updates"));
}

} // namespace
} // namespace postrider::server::bot_findings_test
