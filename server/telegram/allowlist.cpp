#include "server/telegram/allowlist.hpp"

namespace postrider::telegram {

bool allowed(allowlist const& list, message const& m) {
    if (!m.from || m.as_chat) return false;
    if (m.where.is_private) return list.users.contains(m.from->id);
    return list.chats.contains(m.where.id);
}

bool allowed(allowlist const& list, button_press const& press) {
    return list.users.contains(press.from.id);
}

} // namespace postrider::telegram
