#pragma once
// Who may use a bot. Empty lists = nobody. In a private chat the user decides, in a group the
// chat; a command in a group asks for the user as well. A button press counts as its user, wherever it
// is. Owners are allowed everywhere. Who writes as a chat (an anonymous admin, a channel) is nobody:
// there is no user to hold to it; bots.*.anonymous_admins hears their texts (disposition.cpp). Pure.
#include "server/telegram/bot_settings.hpp"
#include "server/telegram/update.hpp"

namespace postrider::telegram {

enum class message_kind { text, command };

bool allowed(allowlist const& list, message const& m, message_kind kind);
bool allowed(allowlist const& list, button_press const& press);

} // namespace postrider::telegram
