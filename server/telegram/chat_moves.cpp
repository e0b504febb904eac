#include "server/telegram/bot.hpp"

namespace postrider::telegram {

void chat_moves::note(bot_id bot, chat_id from, chat_id to) {
    {
        std::lock_guard const lock(mutex_);
        moved_[{bot, from}] = to;
    }
    for (auto* served : bots_) {
        auto& chats = served->settings.allowlist.chats;
        if (served->settings.id == bot && chats.contains(from)) chats.insert(to);
    }
}

chat_id chat_moves::follow(bot_id bot, chat_id chat) const {
    std::lock_guard const lock(mutex_);
    auto const found = moved_.find({bot, chat});
    return found == moved_.end() ? chat : found->second;
}

} // namespace postrider::telegram
