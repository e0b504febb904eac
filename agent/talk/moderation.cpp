#include "agent/talk/moderation.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent {

namespace json = boost::json;

namespace {

json::object of_person(std::string_view operation, user_id user) {
    return {{"operation", operation}, {"user", base::raw(user)}};
}

json::object of_chat(std::string_view operation, chat_id chat) {
    return {{"operation", operation}, {"sender_chat", base::raw(chat)}};
}

struct act_writer {
    json::object operator()(restrict_member const& act) const {
        return of_person(act.may_send ? "unrestrict" : "restrict", act.user);
    }
    json::object operator()(ban_member const& act) const { return of_person("ban", act.user); }
    json::object operator()(unban_member const& act) const { return of_person("unban", act.user); }
    json::object operator()(ban_sender_chat const& act) const {
        return of_chat("ban_chat", act.chat);
    }
    json::object operator()(unban_sender_chat const& act) const {
        return of_chat("unban_chat", act.chat);
    }
    json::object operator()(remove_messages const& act) const {
        json::array numbers;
        for (auto const message : act.messages) numbers.push_back(base::raw(message));
        return {{"operation", "delete"}, {"messages", std::move(numbers)}};
    }
    json::object operator()(answer_join_request const& act) const {
        return of_person(act.approves ? "approve" : "decline", act.user);
    }
};

} // namespace

json::object to_json(moderation const& act) {
    return std::visit(act_writer{}, act);
}

} // namespace postrider::agent
