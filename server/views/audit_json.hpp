#pragma once
// Rows of the audit as the API and the command line write them. Pure.
#include "storage/stores/audit.hpp"
#include "storage/stores/audit_tails.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::server {

// {"lane_id", "number", "created_at", "kind", "actor", "subject", "detail", "hash", …}.
boost::json::object audit_json(storage::audit_entry const& entry);

// {"entries": […], "next"?}: where the next page goes on, if this one is full.
boost::json::object audit_page_json(std::vector<storage::audit_entry> const& entries, int limit);

struct audit_break {
    storage::audit_place place; // the first link of its chain that does not hold
    std::string problem;
};

inline constexpr std::size_t most_breaks = 100; // that are told

// What a look at all chains has found.
struct audit_verdict {
    std::int64_t links = 0;               // that hold
    std::int64_t keyed = 0;               // of these, by HMAC with audit.key
    std::int64_t chains = 0;              // broken ones included
    std::int64_t broken = 0;              // chains
    std::vector<audit_break> breaks;      // the first of them
    std::int64_t lanes = 0;               // whose newest turns were compared with their chains
    std::int64_t cut = 0;                 // steps of these that the end of a chain does not tell of
    std::vector<storage::audit_cut> cuts; // the first of them

    bool holds() const noexcept { return broken == 0 && cut == 0; }
};

// {"chains", "links", "keyed", "broken", "broken_chains", "breaks", "lanes", "cut", "cuts"}: the first of the
// breaks, or null, how many chains are broken, {"lane_id", "number", "problem"} of the first of them, and
// {"lane_id", "job_id", "step", "results", "rows"} of the first rows that were cut off.
boost::json::object audit_verdict_json(audit_verdict const& verdict);

// "LANE/NUMBER".
std::string to_string(storage::audit_place const& place);
std::optional<storage::audit_place> audit_place_from_string(std::string_view text);

} // namespace postrider::server
