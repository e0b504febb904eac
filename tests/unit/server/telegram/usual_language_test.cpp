// The language in which a person uses Telegram.
#include "server/telegram/disposition.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace postrider::telegram::usual_language_test {
namespace {

std::string heard_in(std::string_view code) {
    auto const body = fmt::format(
        R"({{"update_id": 1, "message": {{"message_id": 5, "date": 1,
            "from": {{"id": 10, "is_bot": false, "first_name": "Ann", "language_code": "{}"}},
            "chat": {{"id": 10, "type": "private"}}, "text": "/start"}}}})",
        code
    );
    bot_settings bot;
    bot.id = bot_id{3};
    bot.allowlist.users.insert(user_id{10});
    auto const decided = decide(std::get<update>(parse_update(body)), bot);
    return std::get<to_job>(decided).heard.usual_language;
}

TEST(usual_language, is_known_of_those_that_the_product_speaks) {
    EXPECT_EQ(heard_in("de"), "de");
    EXPECT_EQ(heard_in("fr-ca"), "fr");
    EXPECT_EQ(heard_in("it"), "");
    EXPECT_EQ(heard_in(""), "");
}

} // namespace
} // namespace postrider::telegram::usual_language_test
