#pragma once
// What one person used today, and what is left of the budgets that bind the person. Reads the newest
// turns of one lane, so the answer costs the same on a busy server; what the person asked elsewhere
// counts in the budget of the user alone.
#include "storage/batcher.hpp"
#include "storage/stores/budgets.hpp"

#include <string>
#include <vector>

namespace postrider::storage {

// Further back nothing is read: a person does not write more in a day.
inline constexpr int most_own_turns = 500;

struct used_budget {
    budget of;
    spending used; // today, with what calls in flight have reserved
};

struct own_usage {
    std::int64_t calls = 0;
    std::int64_t tokens_in = 0; // cached ones included
    std::int64_t tokens_out = 0;
    std::int64_t cost_micro = 0; // millionths of a US dollar; 0 where no price is configured
    std::int64_t running = 0;    // turns that are answered now: a call counts once it has ended
    std::string opens;           // when the next day begins: "2026-11-24 00:00 Europe/Berlin"
    std::vector<used_budget> budgets; // in the order in which they were asked for
};

// Of the user's turns in that lane. Fails as batcher::commit().
base::awaitable<base::result<own_usage>> read_own_usage(
    batcher& reads, lane_id lane, user_id user, std::vector<budget> budgets, base::duration deadline
);

} // namespace postrider::storage
