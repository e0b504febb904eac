// A file that Telegram gives to no bot.
#include "agent/talk/message_file.hpp"
#include "base/json/json.hpp"
#include "server/telegram/bot_api.hpp"
#include "tests/support/fake_telegram.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>

namespace postrider::telegram::large_file_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

TEST(large_file, is_refused_by_its_reason_and_without_the_token) {
    tests::fake_telegram telegram;
    tests::loop loop;
    auto const http = net::make_http_client(loop.executor());
    bot_api_options options;
    options.base = telegram.api_base();
    options.token = base::secret(telegram.token());
    auto const api = make_bot_api(*http, base::system_clock(), std::move(options)).value();
    std::string const photo(agent::most_loaded_bytes + 1, 'x');
    telegram.say({.from = user_id{10}, .text = "look", .photo = photo});
    auto const updates = loop.run(api->get_updates(update_id{}, 0s, {})).value();
    auto const update = base::parse_json(updates.at(0)).value();
    std::string const file(
        update.at("message").at("photo").as_array().back().at("file_id").as_string()
    );

    auto const failure = loop.run(api->get_file(file, photo.size())).error();

    EXPECT_EQ(failure.cause.code, base::errc::too_large);
    EXPECT_THAT(failure.cause.detail, Not(HasSubstr(telegram.token())));
}

} // namespace
} // namespace postrider::telegram::large_file_test
