#pragma once
// Who may use a bot (E.04). Empty lists = nobody. In a private chat the user decides, in a group
// the chat; a button press counts as its user, wherever it is. Who writes as a chat (an anonymous
// admin, a channel) is nobody: there is no user to hold to it. Pure.
#include "server/telegram/update.hpp"

#include <set>

namespace postrider::telegram {

struct allowlist {
    std::set<user_id> users; // the owners among them
    std::set<chat_id> chats; // groups
};

bool allowed(allowlist const& list, message const& m);
bool allowed(allowlist const& list, button_press const& press);

} // namespace postrider::telegram
