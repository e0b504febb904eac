#pragma once
// How many presses below catches are taken of one person: 20 in a minute, on each node. On the executor's one thread.
#include "base/clock.hpp"
#include "base/ids.hpp"

#include <map>
#include <utility>

namespace postrider::telegram {

class press_rate {
public:
    static constexpr int most = 20;
    static constexpr base::duration window = std::chrono::minutes{1};

    // False: this one is too many. The window begins with its first press.
    bool takes(bot_id bot, user_id user, base::steady_time now) {
        std::erase_if(pressed_, [now](auto const& entry) { return entry.second.until <= now; });
        auto const at = pressed_.try_emplace({bot, user}, presses{0, now + window}).first;
        return ++at->second.count <= most;
    }

private:
    struct presses {
        int count = 0;
        base::steady_time until;
    };
    std::map<std::pair<bot_id, user_id>, presses> pressed_;
};

} // namespace postrider::telegram
