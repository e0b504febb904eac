#pragma once
// Which updates a poller has been given and not stored yet. Telegram takes a poll's offset as the
// confirmation of all that is older, so the offset never passes one that is not stored. Pure.
#include "base/ids.hpp"

#include <set>

namespace postrider::telegram {

class pending_updates {
public:
    // False: it was given before, and the offset has not passed it.
    bool add(update_id update);
    void stored(update_id update);
    // Forgets everything: Telegram tells what is not confirmed.
    void clear();

    // The oldest that is not stored; where all are, one behind the newest; 0 before the first.
    update_id offset() const;
    bool empty() const noexcept { return open_.empty(); }

private:
    std::set<update_id> open_;
    std::set<update_id> stored_; // from the oldest open one on
    update_id next_{0};
};

} // namespace postrider::telegram
