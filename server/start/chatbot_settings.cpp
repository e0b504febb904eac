#include "server/start/chatbot_settings.hpp"

#include "agent/describe/folded_text.hpp"
#include "base/ascii.hpp"
#include "base/json/text.hpp"
#include "base/texts.hpp"
#include "server/start/config.hpp"
#include "server/start/model_settings.hpp"
#include "server/start/shipped_flows.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::server {

namespace json = boost::json;

using agent::operator""_folded; // NOLINT(misc-unused-using-decls): clang-tidy passes over literals
using enum base::setting_type;

namespace {

// Answers come from a large model. The others are asked often, and a small one is enough.
constexpr std::string_view usual_model = "claude-opus-4-5-20251101";
constexpr std::string_view usual_small_model = "claude-haiku-4-5";

constexpr std::array rows_of_chatbot{
    base::setting{
        "chatbot.enabled",
        "",
        text,
        "false",
        "true|false",
        "Whether the group bot answers: the flow `claudir`, behind its spam filter."},
    base::setting{
        "chatbot.name",
        "",
        text,
        "Claudir",
        "",
        "Name of the bot. A message with this word addresses it, in any case of letters."},
    base::setting{
        "chatbot.aliases", "", words, "", "", "Other names of the bot, used in the same way."},
    base::setting{
        "chatbot.owner_ids",
        "",
        numbers,
        "",
        "",
        "Ids of its owners. They count as owners of all bots."},
    base::setting{
        "chatbot.groups",
        "",
        numbers,
        "",
        "",
        R"(
            Ids of its groups. All bots serve them, as if they were in `allowed_chats`. Empty: the groups
            that the bots serve anyway.
        )"_folded},
    base::setting{
        "chatbot.debounce_ms",
        "",
        integer,
        "1000",
        "0..3600000",
        "How long a group must be quiet, in milliseconds, before the bot reads it."},
    base::setting{
        "chatbot.compaction_threshold_tokens",
        "",
        integer,
        "50000",
        "1000..1000000",
        R"(
            Tokens of a request beyond which the older half of the conversation is summarised.
        )"_folded},
    base::setting{
        "chatbot.model",
        "",
        text,
        usual_model,
        "",
        R"(
            Model that answers: the NAME of a `[models.NAME]`, or a model as its vendor calls it. Without a
            key for the default, the default model answers.
        )"_folded},
    base::setting{
        "chatbot.compaction_model",
        "",
        text,
        usual_small_model,
        "",
        "Model that writes summaries, named in the same way."},
    base::setting{
        "chatbot.spam_model",
        "",
        text,
        usual_small_model,
        "",
        "Model that the spam filter may ask, named in the same way."},
    base::setting{
        "chatbot.spam_action",
        "",
        text,
        "dry_run",
        "dry_run|delete|restrict|ban",
        R"(
            Action of the bot on spam, as `docs/spam.md` explains it. With `dry_run`, it only sends a message
            to the admin chat, and deletes nothing until an owner chooses another action.
        )"_folded},
    base::setting{
        "chatbot.admin_chat",
        "",
        integer,
        "0",
        "",
        R"(
            Id of the chat that hears of spam and decides about it. All bots serve it if it is a group. 0:
            none.
        )"_folded},
    base::setting{
        "chatbot.wake",
        "",
        text,
        "always",
        "always|addressed",
        R"(
            Messages that the model is asked about: all of them, or only those that address the bot.
        )"_folded},
    base::setting{
        "chatbot.wake_every",
        "",
        integer,
        "0",
        "0..10000",
        "With `addressed`: the model is also asked about each Nth message. 0: it is not."},
    base::setting{
        "chatbot.persona",
        "",
        text,
        "",
        "",
        R"(
            Role and personality in the system prompt. Empty: the built-in persona, with the name, the
            owners and the groups filled in.
        )"_folded},
};

template<class Id>
std::vector<Id> ids_of(base::settings const& values, std::string_view key) {
    std::vector<Id> ids;
    for (auto const number : values.numbers(key)) ids.push_back(Id{number});
    return ids;
}

template<class Id>
void review_repetitions(
    std::string_view key, std::vector<Id> ids, std::vector<std::string>& problems
) {
    std::ranges::sort(ids);
    for (auto at = ids.begin(); (at = std::ranges::adjacent_find(at, ids.end())) != ids.end();) {
        problems.push_back(fmt::format("{}: {} is listed twice", key, base::raw(*at)));
        at = std::ranges::find_if(at, ids.end(), [id = *at](Id other) { return other != id; });
    }
}

// Whether the flow and the bots must serve the admin chat like a group.
bool has_admin_group(chatbot_config const& chatbot) {
    return chatbot.admin_chat && base::raw(*chatbot.admin_chat) < 0;
}

std::string names_text(chatbot_config const& chatbot) {
    std::vector<std::string> names{chatbot.name};
    if (auto small = base::to_lower(chatbot.name); small != chatbot.name)
        names.push_back(std::move(small));
    names.insert(names.end(), chatbot.aliases.begin(), chatbot.aliases.end());
    return base::joined(names, "/");
}

std::string owner_text(chatbot_config const& chatbot) {
    if (chatbot.owners.empty()) return "nobody is configured: trust no one fully";
    std::vector<std::string> ids;
    for (auto const owner : chatbot.owners)
        ids.push_back(fmt::format("`user=\"{}\"`", base::raw(owner)));
    return base::joined(ids, " or ");
}

std::string group_text(chatbot_config const& chatbot) {
    if (chatbot.groups.empty()) return "the group chats that you are a member of";
    std::vector<std::string> ids;
    for (auto const group : chatbot.groups) ids.push_back(base::to_string(group));
    return (ids.size() == 1 ? "the group chat " : "the group chats ") + base::joined(ids, ", ");
}

} // namespace

std::span<base::setting const> chatbot_rows() {
    return rows_of_chatbot;
}

void read_chatbot(base::settings const& values, config& into) {
    auto& chatbot = into.chatbot;
    chatbot.is_enabled = values.text("chatbot.enabled") == "true";
    chatbot.name = values.text("chatbot.name");
    chatbot.aliases = values.words("chatbot.aliases");
    chatbot.owners = ids_of<user_id>(values, "chatbot.owner_ids");
    chatbot.groups = ids_of<chat_id>(values, "chatbot.groups");
    chatbot.debounce = std::chrono::milliseconds{values.integer("chatbot.debounce_ms")};
    chatbot.compaction_threshold = values.integer("chatbot.compaction_threshold_tokens");
    chatbot.spam_action = values.text("chatbot.spam_action");
    if (auto const id = values.integer("chatbot.admin_chat"); id != 0)
        chatbot.admin_chat = chat_id{id};
    chatbot.wake = values.text("chatbot.wake");
    chatbot.wake_every = values.integer("chatbot.wake_every");
    chatbot.persona = values.text("chatbot.persona");
    if (!chatbot.is_enabled) return;
    for (auto& bot : into.bots) {
        bot.allowlist.chats.insert(chatbot.groups.begin(), chatbot.groups.end());
        if (has_admin_group(chatbot)) bot.allowlist.chats.insert(*chatbot.admin_chat);
        bot.allowlist.owners.insert(chatbot.owners.begin(), chatbot.owners.end());
    }
    auto const add = [&](std::string_view entry, std::string_view usual) {
        auto const name = values.text(entry); // the entry has the name of its setting
        add_model_entry(values, std::string(entry), name, name == usual, into);
    };
    add(chatbot_model, usual_model);
    add(chatbot_compaction_model, usual_small_model);
    add(chatbot_spam_model, usual_small_model);
}

std::vector<std::string> problems_of_ids(chatbot_config const& chatbot) {
    std::vector<std::string> problems;
    for (auto const group : chatbot.groups)
        if (base::raw(group) >= 0)
            problems.push_back(fmt::format(
                "chatbot.groups: {} is no group: the id of a group is below zero, such as "
                "-1001234567890; `postrider strangers list` shows it",
                base::raw(group)
            ));
    for (auto const owner : chatbot.owners)
        if (base::raw(owner) <= 0)
            problems.push_back(fmt::format(
                "chatbot.owner_ids: {} is no person: the id of a person is above zero",
                base::raw(owner)
            ));
    review_repetitions("chatbot.groups", chatbot.groups, problems);
    review_repetitions("chatbot.owner_ids", chatbot.owners, problems);
    return problems;
}

std::string persona_of(chatbot_config const& chatbot) {
    if (!chatbot.persona.empty()) return chatbot.persona;
    std::string persona(chatbot_persona());
    base::replace_all(persona, "{names}", names_text(chatbot));
    base::replace_all(persona, "{name}", chatbot.name);
    base::replace_all(persona, "{owner}", owner_text(chatbot));
    base::replace_all(persona, "{group}", group_text(chatbot));
    return persona;
}

json::object chatbot_variables(chatbot_config const& chatbot) {
    json::array names{json::value(chatbot.name)};
    for (auto const& alias : chatbot.aliases) names.emplace_back(alias);
    bool const has_models = chatbot.is_enabled;
    auto const model = [has_models](std::string_view entry) {
        return has_models ? entry : std::string_view("default");
    };
    json::value admin_chat; // null is as if it were not written
    if (chatbot.admin_chat) admin_chat = base::raw(*chatbot.admin_chat);
    return {
        {"names", std::move(names)},
        {"persona", persona_of(chatbot)},
        {"model", model(chatbot_model)},
        {"compaction_model", model(chatbot_compaction_model)},
        {"spam_model", model(chatbot_spam_model)},
        {"compaction_threshold_tokens", chatbot.compaction_threshold},
        {"spam_action", chatbot.spam_action},
        {"admin_chat", std::move(admin_chat)},
        {"wake", chatbot.wake},
        {"wake_every", chatbot.wake_every}};
}

std::string chatbot_flow(chatbot_config const& chatbot) {
    constexpr std::string_view trigger_id = "group";
    auto document = json::parse(claudir_flow());
    auto& settings = document.at("settings").as_object();
    settings["debounce"] = fmt::format("{}ms", chatbot.debounce.count());
    for (auto& node : document.at("nodes").as_array()) {
        if (node.at("id") != json::value(trigger_id)) continue;
        if (!chatbot.is_enabled) node.as_object()["disabled"] = true;
        json::array groups;
        for (auto const group : chatbot.groups) groups.push_back(base::raw(group));
        bool const is_all = groups.empty();
        if (!is_all && has_admin_group(chatbot)) groups.push_back(base::raw(*chatbot.admin_chat));
        if (!is_all) node.as_object()["parameters"] = {{"chats", std::move(groups)}};
    }
    return base::json_text(document);
}

} // namespace postrider::server
