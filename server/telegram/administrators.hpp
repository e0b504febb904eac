#pragma once
// Who runs chats, kept for a few minutes, or until Telegram tells of a change: commands, presses and messages that are spam
// ask for them. On the executor's one thread.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "server/telegram/group_runners.hpp"

#include <cstdint>
#include <map>
#include <utility>

namespace postrider::telegram {

class administrators {
public:
    static constexpr base::duration kept_for = std::chrono::minutes{5};

    // Null: they are not known, or not any more. Good until keep().
    group_runners const* find(bot_id bot, chat_id chat, base::steady_time now) const {
        auto const entry = chats_.find({bot, chat});
        return entry == chats_.end() || entry->second.until <= now ? nullptr
                                                                   : &entry->second.runners;
    }
    void keep(bot_id bot, chat_id chat, group_runners runners, base::steady_time now) {
        std::erase_if(chats_, [now](auto const& entry) { return entry.second.until <= now; });
        chats_.insert_or_assign({bot, chat}, cached{std::move(runners), now + kept_for});
    }
    void forget(bot_id bot, chat_id chat) {
        chats_.erase({bot, chat});
        ++changes_;
    }
    // What was asked for before another one is out of date.
    std::uint64_t changes() const noexcept { return changes_; }

private:
    struct cached {
        group_runners runners;
        base::steady_time until;
    };
    std::map<std::pair<bot_id, chat_id>, cached> chats_;
    std::uint64_t changes_ = 0;
};

} // namespace postrider::telegram
