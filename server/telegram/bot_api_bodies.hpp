#pragma once
// The bodies of requests to the Bot API that say something or act on somebody, and what is read of a
// chat's members. Pure.
#include "base/json/json.hpp"
#include "server/telegram/bot_api.hpp"

namespace postrider::telegram {

base::json::object body_of(command_list const& list);
base::json::object body_of(send_request const& message);
base::json::object body_of(edit_request const& message);
base::json::object body_of(chat_id chat, user_id user, agent::restriction const& terms);
base::json::object body_of(chat_id chat, user_id user, agent::ban_terms const& terms);

// Of a ChatMember: a status that is not known is a member's.
agent::member_standing standing_of(base::json_reader const& member);
// Of a User: first and last name.
std::string name_of(base::json_reader const& user);

} // namespace postrider::telegram
