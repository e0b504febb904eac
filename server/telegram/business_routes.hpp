#pragma once
// How messages go to the chats of business accounts: by the connection as it is now, since the owner may have
// taken it away, or its right to reply, on any node; and to accounts that are served by now alone. On the executor's one thread.
#include "server/telegram/bot_api.hpp"
#include "server/telegram/bot_settings.hpp"
#include "storage/database.hpp"

#include <optional>

namespace postrider::telegram {

// Nothing: the chat is none of a business account's. Refused: it is, and nothing may be sent there.
base::awaitable<base::result<std::optional<business_route>>> find_business_route(
    storage::database& db, bot_settings const& bot, chat_id chat, base::duration deadline
);

// What a person says has no buttons: the choices stand below the text.
agent::message_content without_buttons(agent::message_content content);

} // namespace postrider::telegram
