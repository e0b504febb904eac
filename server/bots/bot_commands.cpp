#include "server/bots/bot_commands.hpp"

#include "agent/language/command.hpp"
#include "agent/language/lexicon.hpp"
#include "base/log.hpp"
#include "net/digest.hpp"
#include "storage/stores/bots.hpp"

#include <algorithm>
#include <optional>

namespace postrider::server {

namespace {

constexpr std::size_t most_commands = 100; // Telegram's limit
constexpr base::duration commands_deadline = std::chrono::seconds{10};

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

using offered_commands = std::vector<telegram::bot_command>;

// Nothing where Telegram fails.
base::awaitable<std::optional<offered_commands>> read_list(
    telegram::bot& bot, telegram::command_list list
) {
    auto listed = co_await bot.api->get_my_commands(list);
    if (listed) co_return std::move(*listed);
    report(bot, "getMyCommands", listed.error().cause);
    co_return std::nullopt;
}

// Where it is another one. False: Telegram fails.
base::awaitable<bool> set_list(
    telegram::bot& bot,
    telegram::command_list list,
    offered_commands offered,
    offered_commands before,
    int& lists_set
) {
    if (offered == before) co_return true;
    auto const set = co_await bot.api->set_my_commands(std::move(offered), list);
    if (set) ++lists_set;
    if (!set) report(bot, "setMyCommands", set.error().cause);
    co_return set.has_value();
}

// The list as it is to be; nothing where Telegram fails. `others`: what is listed elsewhere and hidden by this list.
base::awaitable<std::optional<offered_commands>> offer_list(
    telegram::bot& bot, telegram::command_list list, offered_commands others, int& lists_set
) {
    auto const before = co_await read_list(bot, list);
    if (!before) co_return std::nullopt;
    // In a language somebody may have said better what a command does.
    bool const is_of_all = list.language.empty();
    auto combined = is_of_all ? others : *before;
    add_missing(combined, is_of_all ? *before : others);
    auto offered = with_own_commands(combined, list);
    auto const is_set = co_await set_list(bot, list, offered, *before, lists_set);
    if (!is_set) co_return std::nullopt;
    co_return offered;
}

// False: Telegram fails. The list of all is set last: while it is another one, the next start reads all.
base::awaitable<bool> offer_lists(telegram::bot& bot, bool are_known, int& lists_set) {
    using enum telegram::command_scope;
    telegram::command_list const of_all{everywhere};
    auto const usual_before = co_await read_list(bot, of_all);
    if (!usual_before) co_return false;
    auto const usual = with_own_commands(*usual_before, of_all);
    if (are_known && usual == *usual_before) co_return true;
    offered_commands usual_in_private;
    auto const spoken = agent::language::lexicons();
    for (auto const& language : spoken) {
        bool const is_first = &language == spoken.data(); // who speaks none of them has it, too
        telegram::command_list list{everywhere, is_first ? std::string() : language.code};
        auto others = usual;
        if (!is_first) {
            auto const offered = co_await offer_list(bot, list, usual, lists_set);
            if (!offered) co_return false;
            others = *offered;
        }
        list.scope = private_chats;
        add_missing(others, usual_in_private);
        auto const in_private = co_await offer_list(bot, list, std::move(others), lists_set);
        if (!in_private) co_return false;
        if (is_first) usual_in_private = *in_private;
    }
    co_return co_await set_list(bot, of_all, usual, *usual_before, lists_set);
}

// Of the product's own commands, as they are offered in all lists.
std::string digest_of_own_commands() {
    std::string text;
    for (auto const& language : agent::language::lexicons())
        for (auto const& own :
             with_own_commands({}, {telegram::command_scope::private_chats, language.code}))
            text.append(language.code)
                .append(" ")
                .append(own.name)
                .append(" ")
                .append(own.description + "\n");
    return net::sha256_hex(text);
}

} // namespace

std::vector<telegram::bot_command> with_own_commands(
    std::vector<telegram::bot_command> const& listed, telegram::command_list const& list
) {
    bool const is_private = list.scope == telegram::command_scope::private_chats;
    auto const& words = agent::language::notices_in(list.language);
    std::vector<telegram::bot_command> commands;
    for (auto const& own : agent::commands())
        if (own.is_listed && (is_private || !own.is_private))
            commands.push_back({std::string(own.name.substr(1)), words.*own.description});
    add_missing(commands, listed);
    if (commands.size() > most_commands) commands.resize(most_commands);
    return commands;
}

base::awaitable<void> offer_commands(telegram::bot& bot, storage::database& db) {
    auto const id = bot.settings.id;
    auto const digest = digest_of_own_commands();
    auto const known = co_await storage::find_offered_commands(db, id, commands_deadline);
    bool const are_known = known && *known == digest;
    int lists_set = 0;
    bool const are_all = co_await offer_lists(bot, are_known, lists_set);
    if (are_all && !are_known)
        (void)co_await storage::store_offered_commands(db, id, digest, commands_deadline);
    if (lists_set > 0)
        base::log::info(
            "bot.commands_set",
            {{"bot", bot.settings.name}, {"lists", lists_set}, {"complete", are_all}}
        );
}

} // namespace postrider::server
