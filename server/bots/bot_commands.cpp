#include "server/bots/bot_commands.hpp"

#include "agent/command.hpp"
#include "base/log.hpp"

#include <algorithm>

namespace postrider::server {

namespace {

constexpr std::size_t most_commands = 100; // Telegram's limit

void report(telegram::bot& bot, std::string_view method, base::error const& failure) {
    if (failure == base::errc::unauthorized) bot.breaker->trip(std::string(method) + ": 401");
    base::log::warn("bot.commands_failed", {{"bot", bot.settings.name}, {"error", failure}});
}

} // namespace

std::vector<telegram::bot_command> with_own_commands(std::vector<telegram::bot_command> listed) {
    std::vector<telegram::bot_command> all;
    for (auto const& own : agent::commands())
        all.push_back({std::string(own.name.substr(1)), std::string(own.description)});
    for (auto& other : listed)
        if (std::ranges::find(all, other.name, &telegram::bot_command::name) == all.end())
            all.push_back(std::move(other));
    if (all.size() > most_commands) all.resize(most_commands);
    return all;
}

base::awaitable<void> offer_commands(telegram::bot& bot) {
    auto const listed = co_await bot.api->get_my_commands();
    if (!listed) co_return report(bot, "getMyCommands", listed.error().cause);
    auto all = with_own_commands(*listed);
    if (all == *listed) co_return;
    auto const count = all.size();
    auto const set = co_await bot.api->set_my_commands(std::move(all));
    if (!set) co_return report(bot, "setMyCommands", set.error().cause);
    base::log::info("bot.commands_set", {{"bot", bot.settings.name}, {"commands", count}});
}

} // namespace postrider::server
