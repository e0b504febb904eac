#include "server/telegram/allowlist.hpp"

namespace postrider::telegram {

bool allowed(allowlist const& list, message const& m, message_kind kind) {
    if (!m.from || m.as_chat) return false;
    if (list.owners.contains(m.from->id)) return true;
    bool const known_user = list.users.contains(m.from->id);
    if (m.where.is_private) return known_user;
    return list.chats.contains(m.where.id) && (kind == message_kind::text || known_user);
}

bool allowed(allowlist const& list, button_press const& press) {
    return list.users.contains(press.from.id) || list.owners.contains(press.from.id);
}

} // namespace postrider::telegram
