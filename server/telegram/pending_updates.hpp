#pragma once
// Which updates a poller has been given and not stored yet. Telegram takes a poll's offset as the
// confirmation of all that is older, so the offset never passes one that is not stored. Pure.
#include "base/ids.hpp"

#include <set>

namespace postrider::telegram {

class pending_updates {
public:
    // False: it was given before, and may be given again until confirmed() has passed it. One that
    // is older than what was confirmed is new, and all else is forgotten: Telegram begins its
    // numbers anew after a quiet week, and keeps nothing for longer than a day.
    bool add(update_id update);
    void stored(update_id update); // unless it was forgotten meanwhile
    // A poll with this offset was answered: no later answer has an older update. One that was sent
    // before an update was stored may still bring it.
    void confirmed(update_id offset);
    // Forgets everything: Telegram tells what is not confirmed.
    void clear();

    // The oldest that is not stored; where all are, one behind the newest; 0 before the first.
    update_id offset() const;
    bool empty() const noexcept { return open_.empty(); }

private:
    std::set<update_id> open_;
    std::set<update_id> stored_; // and not confirmed
    update_id next_{0};
    update_id confirmed_{0};
};

} // namespace postrider::telegram
