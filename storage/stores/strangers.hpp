#pragma once
// People that the allowlist refused: counted and named for the owner, never quoted. Bounded: at
// most stranger_limit rows per bot, the ones that were seen last.
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <string>
#include <string_view>
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
std::vector<write> count_stranger(stranger const& person);

// A stranger as people look at them.
struct known_stranger {
    std::string bot; // its name
    user_id user{};
    chat_id chat{};
    std::string name;
    std::int64_t refused = 0;
    std::string first_seen_at; // ISO 8601 in UTC, as the next
    std::string last_seen_at;
};

struct stranger_page {
    std::vector<known_stranger> strangers;
    std::string next; // pass as `cursor`; "" = the last page
};

// Whether a page can have named it as next.
bool is_stranger_cursor(std::string_view text);

// Those seen last first; an empty name means every bot, an empty cursor the first page. Throws as
// transaction::query() does.
stranger_page list_strangers(
    transaction& tx, std::string const& bot, std::string const& cursor, int limit
);

} // namespace postrider::storage
