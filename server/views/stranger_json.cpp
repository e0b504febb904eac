#include "server/views/stranger_json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::server {

admission admission_of(
    storage::known_stranger const& stranger, std::vector<bot_config> const& bots
) {
    auto const bot = std::ranges::find(bots, stranger.bot, &bot_config::name);
    auto const knows_chat = [&] {
        return bot != bots.end() && bot->allowlist.chats.contains(stranger.chat);
    };
    bool const is_group = base::raw(stranger.chat) < 0;
    if (is_group && !knows_chat())
        return {fmt::format("bots.{}.allowed_chats", stranger.bot), base::raw(stranger.chat)};
    return {fmt::format("bots.{}.allowed_users", stranger.bot), base::raw(stranger.user)};
}

boost::json::object strangers_json(
    storage::stranger_page const& page, std::vector<bot_config> const& bots
) {
    boost::json::array list;
    for (auto const& stranger : page.strangers) {
        auto const admission = admission_of(stranger, bots);
        list.push_back(boost::json::object{
            {"bot", stranger.bot},
            {"user_id", base::raw(stranger.user)},
            {"chat_id", base::raw(stranger.chat)},
            {"name", stranger.name},
            {"refused", stranger.refused},
            {"first_seen_at", stranger.first_seen_at},
            {"last_seen_at", stranger.last_seen_at},
            {"admitted_by", {{"setting", admission.setting}, {"id", admission.id}}}});
    }
    boost::json::object body{{"strangers", std::move(list)}};
    if (!page.next.empty()) body["next"] = page.next;
    return body;
}

} // namespace postrider::server
