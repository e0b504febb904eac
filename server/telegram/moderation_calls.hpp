#pragma once
// What is done to the members and messages of a group, as calls of the Bot API. Pure.
#include "agent/talk/moderation.hpp"
#include "server/telegram/bot_api.hpp"

#include <vector>

namespace postrider::telegram {

// None of these methods sends: each may be called again.
api_method method_of(agent::moderation const& act);
// One for each call; most acts are a single one.
std::vector<base::json::object> bodies_of(chat_id chat, agent::moderation const& act);

} // namespace postrider::telegram
