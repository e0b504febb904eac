#pragma once
// Updates that cannot be stored because of a defect of ours, not because of the database's state.
// When an update has failed so several times while others were stored, the update is at fault, and
// its chat should not wait for it any longer. Pure.
#include "base/ids.hpp"

#include <cstdint>
#include <map>

namespace postrider::telegram {

class failing_updates {
public:
    void stored() noexcept { ++stored_; }
    // Counts a failure. True: give the update up.
    bool failed(bot_id bot, update_id update);
    void forget(bot_id bot, update_id update) { failing_.erase({bot, update}); }

private:
    struct record {
        int failures = 0;
        std::uint64_t stored_before = 0;
    };

    std::map<std::pair<bot_id, update_id>, record> failing_;
    std::uint64_t stored_ = 0;
};

} // namespace postrider::telegram
