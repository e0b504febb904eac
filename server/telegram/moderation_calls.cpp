#include "server/telegram/moderation_calls.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <chrono>

namespace postrider::telegram {

namespace {

using json_object = base::json::object;

constexpr std::size_t messages_per_call = 100;

void add_until(json_object& body, std::optional<base::sys_time> until) {
    if (!until) return;
    auto const end = std::chrono::ceil<std::chrono::seconds>(*until);
    body["until_date"] = end.time_since_epoch().count();
}

json_object permissions_of(agent::restrict_member const& act) {
    json_object permissions;
    for (std::string_view const permission :
         {"can_send_messages",
          "can_send_audios",
          "can_send_documents",
          "can_send_photos",
          "can_send_videos",
          "can_send_video_notes",
          "can_send_voice_notes",
          "can_send_polls",
          "can_send_other_messages",
          "can_add_web_page_previews",
          "can_react_to_messages"})
        permissions[permission] = act.may_send;
    return permissions;
}

struct method_namer {
    std::string_view operator()(agent::restrict_member const&) const {
        return "restrictChatMember";
    }
    std::string_view operator()(agent::ban_member const&) const { return "banChatMember"; }
    std::string_view operator()(agent::unban_member const&) const { return "unbanChatMember"; }
    std::string_view operator()(agent::ban_sender_chat const&) const { return "banChatSenderChat"; }
    std::string_view operator()(agent::unban_sender_chat const&) const {
        return "unbanChatSenderChat";
    }
    std::string_view operator()(agent::remove_messages const&) const { return "deleteMessages"; }
    std::string_view operator()(agent::answer_join_request const& act) const {
        return act.approves ? "approveChatJoinRequest" : "declineChatJoinRequest";
    }
};

struct body_maker {
    chat_id chat;

    json_object about(user_id user) const {
        return {{"chat_id", base::raw(chat)}, {"user_id", base::raw(user)}};
    }
    json_object about(chat_id sender) const {
        return {{"chat_id", base::raw(chat)}, {"sender_chat_id", base::raw(sender)}};
    }

    std::vector<json_object> operator()(agent::restrict_member const& act) const {
        auto body = about(act.user);
        body["permissions"] = permissions_of(act);
        body["use_independent_chat_permissions"] = true;
        add_until(body, act.until);
        return {std::move(body)};
    }
    std::vector<json_object> operator()(agent::ban_member const& act) const {
        auto body = about(act.user);
        if (act.deletes_messages) body["revoke_messages"] = true;
        add_until(body, act.until);
        return {std::move(body)};
    }
    // Without the condition a member who is not banned is removed.
    std::vector<json_object> operator()(agent::unban_member const& act) const {
        auto body = about(act.user);
        body["only_if_banned"] = true;
        return {std::move(body)};
    }
    std::vector<json_object> operator()(agent::ban_sender_chat const& act) const {
        return {about(act.chat)};
    }
    std::vector<json_object> operator()(agent::unban_sender_chat const& act) const {
        return {about(act.chat)};
    }
    std::vector<json_object> operator()(agent::remove_messages const& act) const {
        std::vector<json_object> bodies;
        for (std::size_t first = 0; first < act.messages.size(); first += messages_per_call) {
            auto const end = std::min(act.messages.size(), first + messages_per_call);
            base::json::array numbers;
            for (auto at = first; at < end; ++at) numbers.push_back(base::raw(act.messages[at]));
            bodies.push_back({{"chat_id", base::raw(chat)}, {"message_ids", std::move(numbers)}});
        }
        return bodies;
    }
    std::vector<json_object> operator()(agent::answer_join_request const& act) const {
        return {about(act.user)};
    }
};

} // namespace

api_method method_of(agent::moderation const& act) {
    return {std::visit(method_namer{}, act)};
}

std::vector<json_object> bodies_of(chat_id chat, agent::moderation const& act) {
    return std::visit(body_maker{chat}, act);
}

} // namespace postrider::telegram
