#pragma once
// Numbered migrations from sql/, embedded in the binary, run at start. Forward only. Race-free
// among processes: each inserts its number first, inside its own transaction, so a second process
// waits for the first and then finds it done.
#include "storage/database.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace postrider::storage {

struct migration {
    int number;
    std::string_view name; // "0001_engine"
    std::string_view sql;
};

// All of sql/NNNN_*.sql, in order.
std::span<migration const> embedded_migrations();

struct migration_report {
    int before = 0; // newest number found
    int now = 0;    // newest number after
    std::vector<std::string> applied;
};

// Brings the schema up to date. refused: the database is newer than this binary supports (its
// newest migration is beyond ours and marked as breaking). Other failures as in database.hpp; bad
// SQL throws.
base::result<migration_report> migrate(
    database_options const& options, std::span<migration const> all = embedded_migrations()
);

} // namespace postrider::storage
