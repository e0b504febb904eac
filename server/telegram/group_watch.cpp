#include "server/telegram/group_watch.hpp"

#include <fmt/format.h>

namespace postrider::telegram {

namespace {

// What is stored where nobody wrote anything.
std::string words_of_wordless(message const& m) {
    if (!m.attachment.empty()) return fmt::format("({})", m.attachment);
    if (m.seen.service.empty()) return m.seen.text.empty() ? "(message)" : m.seen.text;
    std::string names;
    for (auto const& person : m.seen.people) names += (names.empty() ? "" : ", ") + person.name;
    return names.empty() ? fmt::format("({})", m.seen.service)
                         : fmt::format("({}: {})", m.seen.service, names);
}

bool is_own(message const& m, bot_settings const& bot) {
    return m.from && m.from->id == bot.self && !m.as_chat;
}

struct group_watcher {
    bot_settings const& bot;
    update const& whole;

    bool watches(place const& where) const {
        return !where.is_private && bot.allowlist.chats.contains(where.id);
    }

    watched_update happened(place const& where, user_id user, boost::json::object event) const {
        watched_update result;
        auto& heard = result.job.heard;
        heard.from = {bot.id, where.id, {}};
        heard.user = user;
        heard.addressed = false;
        heard.seen = std::move(event);
        result.job.agent = bot.agent;
        result.job.lane_key = agent::own_lane_key(heard.from);
        result.job.manner = bot.manner;
        return result;
    }

    // Parts of an album are messages of their own here: each is judged.
    watched_update message_update(agent::group_event event, message const& m) const {
        watched_update result;
        result.event = event;
        result.job = job_of(m, bot);
        result.job.album.clear();
        result.job.heard.of_album = false;
        auto& item = result.job.heard.seen;
        auto content = m.seen;
        if (content.reply) content.reply->is_own = content.reply->user == bot.self;
        item = event_json(event, content);
        // It stands in the message's row.
        if (event == agent::group_event::message && !m.seen.text.empty()) item.erase("text");
        if (result.job.text.empty()) result.job.text = words_of_wordless(m);
        return result;
    }

    std::optional<watched_update> operator()(new_message const& u) const {
        auto const& m = u.message;
        if (!watches(m.where) || is_own(m, bot) || m.migrated_to) return std::nullopt;
        auto result = message_update(agent::group_event::message, m);
        auto const decision = decide(whole, bot);
        auto const* job = std::get_if<to_job>(&decision);
        result.may_command = job && !job->only_joins;
        if (result.may_command) result.job.command = job->command;
        return result;
    }

    std::optional<watched_update> operator()(edited_message const& u) const {
        auto const& m = u.message;
        if (!watches(m.where) || is_own(m, bot)) return std::nullopt;
        auto result = message_update(agent::group_event::edit, m);
        auto edit = edit_of(m, whole.id, bot);
        edit.edit.text = result.job.text;
        result.effect = std::move(edit);
        return result;
    }

    std::optional<watched_update> operator()(button_press const&) const { return std::nullopt; }

    std::optional<watched_update> operator()(member_change const& u) const {
        if (!watches(u.where) || u.is_own) return std::nullopt;
        auto change = event_of(u, bot);
        auto result = happened(u.where, u.member.id, event_json(change.change));
        result.event = agent::group_event::member;
        result.effect = std::move(change);
        return result;
    }

    std::optional<watched_update> operator()(reaction_update const& u) const {
        if (!watches(u.where)) return std::nullopt;
        auto result = happened(u.where, u.change.person.user, event_json(u.change));
        result.event = agent::group_event::reaction;
        result.job.heard.message = u.change.message;
        return result;
    }

    std::optional<watched_update> operator()(join_update const& u) const {
        if (!watches(u.where)) return std::nullopt;
        auto result = happened(u.where, u.request.person.user, event_json(u.request));
        result.event = agent::group_event::join_request;
        return result;
    }

    std::optional<watched_update> operator()(deleted_messages const&) const { return std::nullopt; }
    std::optional<watched_update> operator()(stopped_draft const&) const { return std::nullopt; }
    std::optional<watched_update> operator()(business_change const&) const { return std::nullopt; }
    std::optional<watched_update> operator()(other_update const&) const { return std::nullopt; }
};

} // namespace

std::optional<watched_update> watched(update const& u, bot_settings const& bot) {
    return std::visit(group_watcher{bot, u}, u.content);
}

} // namespace postrider::telegram
