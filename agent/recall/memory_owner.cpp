#include "agent/recall/memory_owner.hpp"

namespace postrider::agent::recall {

// Telegram's ids of groups and channels are negative.
std::optional<memory_owner> owner_in(bot_id bot, chat_id chat, user_id user) noexcept {
    if (base::raw(chat) < 0) return memory_owner{.bot = bot, .chat = chat};
    if (user == user_id{}) return std::nullopt;
    return memory_owner{.bot = bot, .user = user};
}

} // namespace postrider::agent::recall
