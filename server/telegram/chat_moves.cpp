#include "server/telegram/bot.hpp"

namespace postrider::telegram {

void chat_moves::note(bot_id bot, chat_id old_chat, chat_id new_chat) {
    {
        std::lock_guard const lock(mutex_);
        moved_[{bot, old_chat}] = new_chat;
    }
    for (auto* served : bots_) {
        if (served->settings.id != bot) continue;
        auto& allowlist = served->settings.allowlist;
        if (allowlist.chats.contains(old_chat)) allowlist.chats.insert(new_chat);
        if (allowlist.chats.contains(new_chat)) allowlist.former.insert(old_chat);
    }
}

chat_id chat_moves::follow(bot_id bot, chat_id chat) const {
    std::lock_guard const lock(mutex_);
    auto const entry = moved_.find({bot, chat});
    return entry == moved_.end() ? chat : entry->second;
}

std::optional<chat_id> chat_moves::former(bot_id bot, chat_id chat) const {
    std::lock_guard const lock(mutex_);
    for (auto const& [before, after] : moved_)
        if (before.first == bot && after == chat) return before.second;
    return std::nullopt;
}

} // namespace postrider::telegram
