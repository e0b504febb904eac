#pragma once
// The bodies of requests to the Bot API that say something, and what is read of a chat's members. Pure.
#include "base/json/json.hpp"
#include "server/telegram/bot_api.hpp"

namespace postrider::telegram {

// The product's kinds of updates, by their names.
base::json::array kinds_of_updates(update_kinds const& more);
// The members that say where: of a chat, or of a business account's.
base::json::object body_of_place(chat_id chat, std::optional<business_route> const& business);
base::json::object body_of(command_list const& list);
base::json::object body_of(send_request const& message);
base::json::object body_of(edit_request const& message);
// With the bytes of its media; `seed` as net/multipart.hpp.
wire_body upload_of(send_request const& message, std::string const& bytes, std::string_view seed);

// Of a ChatMember: a status that is not known is a member's.
agent::member_standing standing_of(base::json_reader const& member);
// Of a ChatMember: also its names, and what it may do as an administrator.
agent::chat_member member_from(base::json_reader const& member);
// Of a User: first and last name.
std::string name_of(base::json_reader const& user);

} // namespace postrider::telegram
