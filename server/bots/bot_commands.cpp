#include "server/bots/bot_commands.hpp"

#include "agent/language/command.hpp"
#include "base/log.hpp"

#include <algorithm>

namespace postrider::server {

namespace {

constexpr std::size_t most_commands = 100; // Telegram's limit

constexpr telegram::command_scope scopes[]{
    telegram::command_scope::everywhere, telegram::command_scope::private_chats};

void add_missing(
    std::vector<telegram::bot_command>& commands, std::vector<telegram::bot_command> const& more
) {
    for (auto const& command : more)
        if (std::ranges::find(commands, command.name, &telegram::bot_command::name) ==
            commands.end())
            commands.push_back(command);
}

void report(telegram::bot& bot, std::string_view method, base::error const& failure) {
    if (failure == base::errc::unauthorized) bot.breaker->trip(std::string(method) + ": 401");
    base::log::warn("bot.commands_failed", {{"bot", bot.settings.name}, {"error", failure}});
}

} // namespace

std::vector<telegram::bot_command> with_own_commands(
    std::vector<telegram::bot_command> const& listed, telegram::command_scope scope
) {
    bool const is_private = scope == telegram::command_scope::private_chats;
    auto const& words = agent::language::notices_in("en");
    std::vector<telegram::bot_command> commands;
    for (auto const& own : agent::commands())
        if (is_private || !own.is_private)
            commands.push_back({std::string(own.name.substr(1)), words.*own.description});
    add_missing(commands, listed);
    if (commands.size() > most_commands) commands.resize(most_commands);
    return commands;
}

base::awaitable<void> offer_commands(telegram::bot& bot) {
    std::vector<telegram::bot_command> everywhere;
    for (auto const scope : scopes) {
        auto const listed = co_await bot.api->get_my_commands(scope);
        if (!listed) co_return report(bot, "getMyCommands", listed.error().cause);
        // A list of private chats hides the other one there.
        auto commands = everywhere;
        add_missing(commands, *listed);
        commands = with_own_commands(commands, scope);
        everywhere = commands;
        if (commands == *listed) continue;
        auto const count = commands.size();
        auto const set = co_await bot.api->set_my_commands(std::move(commands), scope);
        if (!set) co_return report(bot, "setMyCommands", set.error().cause);
        base::log::info("bot.commands_set", {{"bot", bot.settings.name}, {"commands", count}});
    }
}

} // namespace postrider::server
