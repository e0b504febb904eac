#pragma once
// Are the ends of the audit's chains there? Chains say nothing of rows that were cut off behind their
// last one; the turns' own records do (sql/functions/audit_tail.sql).
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace postrider::storage {

// A turn has more results of a step than rows of the audit tell of.
struct audit_cut {
    lane_id lane{};
    job_id job{};
    std::string step; // "assistant/model"
    std::int64_t results = 0;
    std::int64_t rows = 0;
};

struct audit_tail_check {
    std::int64_t lanes = 0; // that were looked at; fewer than asked for = those were all
    lane_id last{};
    std::vector<audit_cut> cuts;
};

inline constexpr lane_id before_all_lanes{-1};

// Of the newest turns of the next `limit` lanes. Throws as transaction::query() does.
audit_tail_check check_audit_tails(transaction& tx, lane_id after, int limit);

} // namespace postrider::storage
