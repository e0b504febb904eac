#include "server/start/bot_settings.hpp"

#include "agent/describe/folded_text.hpp"

#include <array>
#include <chrono>
#include <set>

namespace postrider::server {

using agent::operator""_folded; // NOLINT(misc-unused-using-decls): clang-tidy passes over literals
using enum base::setting_type;

namespace {

template<class Id>
std::set<Id> id_set(base::settings const& settings, std::string const& key) {
    std::set<Id> all;
    for (auto const number : settings.numbers(key)) all.insert(Id{number});
    return all;
}

constexpr std::array settings_of_bots{
    bot_setting{
        {"bots.*.bot_token",
         "TELEGRAM_BOT_TOKEN",
         secret,
         "",
         "",
         R"(
            Token from @BotFather. Without any bot, `serve` runs in demo mode with a simulated
            Telegram.
        )"_folded,
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.token = values.secret(key);
        }},
    bot_setting{
        {"bots.*.webhook_secret",
         "TELEGRAM_WEBHOOK_SECRET",
         secret,
         "",
         "",
         "Secret that Telegram sends with every update. Empty: generated and stored.",
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.webhook_secret = values.secret(key);
        }},
    bot_setting{
        {"bots.*.api_base",
         "TELEGRAM_API_BASE",
         url,
         telegrams_own,
         "",
         "Address of the Bot API. Change it for a Bot API server of your own.",
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.api_base = values.text(key);
        }},
    bot_setting{
        {"bots.*.allowed_users",
         "POSTRIDER_ALLOWED_USERS",
         numbers,
         "",
         "",
         R"(
            Ids of users who may write to the bot in private and use its commands in groups.
            Empty: no one.
        )"_folded,
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.allowlist.users = id_set<user_id>(values, key);
        }},
    bot_setting{
        {"bots.*.allowed_chats",
         "POSTRIDER_ALLOWED_CHATS",
         numbers,
         "",
         "",
         "Ids of groups where the bot answers. Empty: none.",
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.allowlist.chats = id_set<chat_id>(values, key);
        }},
    bot_setting{
        {"bots.*.owners",
         "POSTRIDER_OWNERS",
         numbers,
         "",
         "",
         "Ids of trusted users. The bot answers them in every chat.",
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.allowlist.owners = id_set<user_id>(values, key);
        }},
    bot_setting{
        {"bots.*.agent",
         "",
         text,
         "assistant",
         "",
         "Agent that answers: the NAME of an `[agents.NAME]`.",
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.agent = values.text(key);
        }},
    bot_setting{
        {"bots.*.sends_per_second",
         "",
         integer,
         "0",
         "0..1000",
         R"(
            Limit on messages sent per second, shared by all processes. 0: no limit except
            Telegram's.
        )"_folded,
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.sends_per_second = static_cast<int>(values.integer(key));
        }},
    bot_setting{
        {"bots.*.mailbox",
         "",
         text,
         "queue",
         "queue|coalesce|interrupt",
         R"(
            Handling of messages that arrive while an earlier one is unanswered. `queue`: each
            gets its own turn. `coalesce`: one turn answers all that wait. `interrupt`: a new
            message ends the running turn.
        )"_folded,
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.manner.mailbox = values.text(key);
        }},
    bot_setting{
        {"bots.*.debounce",
         "",
         span,
         "0s",
         "0s..1h",
         "With `coalesce`: how long a chat must be quiet before its turn begins.",
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.manner.debounce =
                std::chrono::duration_cast<std::chrono::milliseconds>(values.span(key));
        }},
    bot_setting{
        {"bots.*.timezone",
         "",
         text,
         "",
         "",
         R"(
            Default time zone for people who have not set one, for example `Europe/Berlin`.
            Empty: the tool's own default.
        )"_folded,
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.timezone = values.text(key);
        }},
    bot_setting{
        {"bots.*.business",
         "",
         numbers,
         "",
         "",
         R"(
            Ids of users whose business accounts the bot serves: it answers their customers in
            their name. They must be among `owners` or `allowed_users`, and connect the bot in
            Telegram. Empty: none.
        )"_folded,
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.business = id_set<user_id>(values, key);
        }},
    bot_setting{
        {"bots.*.drafts",
         "",
         text,
         "on",
         "on|off",
         R"(
            Answers in private chats grow while the model writes them, with a button Stop. It ends
            the answer: what was said so far becomes the message. A Bot API server that does not
            know drafts shows none.
        )"_folded,
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.drafts = values.text(key) == "on";
        }},
    bot_setting{
        {"bots.*.anonymous_admins",
         "",
         text,
         "off",
         "on|off",
         R"(
            Answers anonymous administrators of allowed groups. Their name is unknown, so they have
            no commands and approve nothing.
        )"_folded,
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.anonymous_admins = values.text(key) == "on";
        }},
    bot_setting{
        {"bots.*.reactions",
         "",
         text,
         "off",
         "on|off",
         R"(
            Keeps the reactions of people with the messages of the conversation, also those that
            they take back. They start nothing: with the next message, the model gets the reactions
            to its newest answers. In groups, the bot must be an administrator.
        )"_folded,
         "main"},
        [](auto const& values, auto const& key, bot_config& into) {
            into.reactions = values.text(key) == "on";
        }},
};

} // namespace

std::span<bot_setting const> bot_settings() {
    return settings_of_bots;
}

std::vector<base::setting> bot_rows() {
    std::vector<base::setting> rows;
    for (auto const& setting : bot_settings()) rows.push_back(setting.row);
    return rows;
}

bot_config read_bot(
    base::settings const& values, std::string const& name, std::span<bot_setting const> settings
) {
    bot_config bot;
    bot.name = name;
    for (auto const& setting : settings) {
        std::string key(setting.row.key);
        key.replace(key.find('*'), 1, name);
        setting.read(values, key, bot);
    }
    return bot;
}

} // namespace postrider::server
