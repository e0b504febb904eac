#pragma once
// Who was refused by the allowlist: counted and named for the owner, never quoted. Bounded: at most
// stranger_limit rows per bot, the ones that were seen last.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <string>
#include <vector>

namespace postrider::storage {

inline constexpr int stranger_limit = 1000;

struct stranger {
    bot_id bot{};
    user_id user{};
    chat_id chat{};
    std::string name;
};

// Counts one refusal and keeps the bound. Orders 12 and 13; returns no row.
std::vector<write> count_stranger(stranger const& who);

} // namespace postrider::storage
