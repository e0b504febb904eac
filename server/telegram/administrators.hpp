#pragma once
// The administrators of chats, kept for a few minutes: a moderated group asks for them with every message.
// On the executor's one thread.
#include "agent/talk/messenger.hpp"
#include "base/clock.hpp"
#include "base/ids.hpp"

#include <map>
#include <utility>
#include <vector>

namespace postrider::telegram {

class administrators {
public:
    static constexpr base::duration kept_for = std::chrono::minutes{5};

    // Null: they are not known, or not any more. Good until keep().
    std::vector<agent::chat_member> const* find(bot_id bot, chat_id chat, base::steady_time now)
        const {
        auto const entry = chats_.find({bot, chat});
        return entry == chats_.end() || entry->second.until <= now ? nullptr
                                                                   : &entry->second.members;
    }
    void keep(
        bot_id bot, chat_id chat, std::vector<agent::chat_member> members, base::steady_time now
    ) {
        std::erase_if(chats_, [now](auto const& entry) { return entry.second.until <= now; });
        chats_.insert_or_assign({bot, chat}, cached{std::move(members), now + kept_for});
    }

private:
    struct cached {
        std::vector<agent::chat_member> members;
        base::steady_time until;
    };
    std::map<std::pair<bot_id, chat_id>, cached> chats_;
};

} // namespace postrider::telegram
