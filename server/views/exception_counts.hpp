#pragma once
// How much of what needs a look there is: what failed, what is in doubt, what waits for people. For the
// overview and the list of what needs attention, whose totals are therefore the same.
#include "storage/database.hpp"

#include <cstdint>

namespace postrider::server {

// Counts stop there.
inline constexpr std::int64_t most_counted = 10'000;

struct exception_counts {
    std::int64_t failed = 0; // jobs that nobody has retried
    std::int64_t paused = 0; // jobs
    std::int64_t scheduled = 0;
    std::int64_t effects_in_doubt = 0;
    std::int64_t undelivered = 0; // jobs of the last seven days whose answer did not arrive
    std::int64_t approvals = 0;   // that wait for a person
    std::int64_t questions = 0;   // that are open, those about approvals left out
};

// Inside an open transaction; throws as transaction::query() does.
exception_counts count_exceptions(storage::transaction& tx);

} // namespace postrider::server
