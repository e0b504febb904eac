// A method of the Bot API is one value for the client, and one for the simulated Telegram: this one
// stands in no other file.
#include "server/telegram/bot_api.hpp"
#include "server/telegram/simulated_methods.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::scratch_method_test {
namespace {

constexpr api_method pin_method{"pinChatMessage"};

simulated_answer pin(desk const& at) {
    if (!at.chats.knows(at.call.chat)) return simulated_answer::failure(400, "chat not found");
    return simulated_answer::ok(true);
}

TEST(scratch_method, is_called_carried_out_and_measured) {
    tests::loop io;
    auto const http = net::make_http_client(io.executor());
    simulation_options options;
    options.more_methods = {{pin_method.name, pin}};
    auto const telegram = make_simulation(
        io.executor(), *http, base::system_clock(), base::system_random(), std::move(options)
    );
    telegram->start().value();
    telegram->add_bot({"1:a", user_id{1}, "fern_bot"});
    base::durations calls{base::call_bounds};
    bot_api_options to{telegram->api_base(), base::secret("1:a"), &calls};
    auto const api = make_bot_api(*http, base::system_clock(), std::move(to)).value();
    base::json::object const parameters{{"chat_id", 10}, {"message_id", 3}};

    auto const refused = io.run(api->call(pin_method, parameters));
    telegram->resume(chat_id{10}, telegram_message_id{3});
    auto const pinned = io.run(api->call(pin_method, parameters));

    EXPECT_EQ(refused.error().cause, base::errc::refused);
    EXPECT_EQ(pinned.value(), true);
    EXPECT_FALSE(calls.all().empty());
    io.run(telegram->stop());
    http->close();
}

} // namespace
} // namespace postrider::telegram::scratch_method_test
