#include "server/views/group_checks.hpp"

#include "agent/talk/refusal_words.hpp"
#include "base/texts.hpp"

#include <fmt/format.h>

namespace postrider::server {

namespace {

using agent::member_standing;

constexpr std::size_t most_groups = 20;

std::vector<std::string> missing_rights(agent::chat_member const& own) {
    std::vector<std::string> missing;
    if (!own.may_delete) missing.emplace_back("Delete messages");
    if (!own.may_restrict) missing.emplace_back("Ban users");
    return missing;
}

bool is_inside(agent::chat_member const& own) {
    return own.standing != member_standing::left && own.standing != member_standing::banned;
}

} // namespace

finding groups_finding(
    std::string const& bot, telegram::bot_identity const& identity, bool watches
) {
    auto subject = "groups " + bot;
    if (identity.reads_all_group_messages)
        return {std::move(subject), verdict::ok, "it gets all messages of its groups"};
    std::string visible = "it gets commands, replies and mentions.";
    if (!watches)
        return {
            std::move(subject),
            verdict::ok,
            visible + " @BotFather's /setprivacy gives it all messages of its groups"};
    return {
        std::move(subject),
        verdict::warn,
        fmt::format(
            "{} Its flows watch groups, and privacy mode hides other messages from it. Send "
            "/setprivacy to @BotFather, choose @{}, and choose Disable. Then remove the bot from "
            "each group and add it again. A bot that is an administrator of the group gets all "
            "messages in any case",
            visible,
            identity.username
        )};
}

finding rights_finding(
    std::string const& bot,
    telegram::bot_identity const& identity,
    chat_id group,
    telegram::api_result<agent::chat_member> const& own
) {
    auto subject = fmt::format("group {} {}", bot, base::raw(group));
    auto const steps = fmt::format(
        "In Telegram, open the group, then Edit, Administrators, Add administrator, and choose @{}",
        identity.username
    );
    if (!own && base::retryable(own.error().cause.code))
        return {std::move(subject), verdict::warn, agent::refusal_in_words(own.error().cause)};
    if (!own || !is_inside(*own))
        return {
            std::move(subject),
            verdict::warn,
            fmt::format(
                "@{} is no member of this group, or the id is wrong{}. Add the bot to the group, "
                "or correct the id in the configuration. `postrider strangers list` shows the ids "
                "of groups where the bot was written to",
                identity.username,
                own ? "" : ". " + agent::refusal_in_words(own.error().cause)
            )};
    if (!agent::runs_chat(own->standing))
        return {
            std::move(subject),
            verdict::warn,
            fmt::format(
                "it is no administrator: it cannot delete messages or ban users. {}. Allow it to "
                "delete messages and to ban users",
                steps
            )};
    auto const missing = missing_rights(*own);
    if (missing.empty())
        return {std::move(subject), verdict::ok, "it may delete messages and ban users"};
    return {
        std::move(subject),
        verdict::warn,
        fmt::format(
            "it is an administrator without the right: {}. In Telegram, open the group, then Edit, "
            "Administrators, @{}, and switch it on",
            base::joined(missing, ", "),
            identity.username
        )};
}

base::awaitable<findings> look_at_groups(
    telegram::bot_api& api,
    telegram::bot_settings const& bot,
    telegram::bot_identity identity,
    bool watches
) {
    findings result;
    result.push_back(groups_finding(bot.name, identity, watches));
    if (!watches) co_return result;
    std::size_t looked_at = 0;
    for (auto const group : bot.allowlist.chats) {
        if (looked_at++ == most_groups) break;
        auto const own = co_await api.get_chat_member(group, identity.id);
        result.push_back(rights_finding(bot.name, identity, group, own));
    }
    co_return result;
}

} // namespace postrider::server
