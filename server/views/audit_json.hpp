#pragma once
// Rows of the audit as the command line writes them. Pure.
#include "storage/stores/audit.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::server {

// {"lane_id", "number", "created_at", "kind", "actor", "subject", "detail", "hash", …}.
boost::json::object audit_json(storage::audit_entry const& entry);

// {"entries": […], "next"?}: where the next page goes on, if this one is full.
boost::json::object audit_page_json(std::vector<storage::audit_entry> const& entries, int limit);

// {"chains", "links", "broken"}: null, or {"lane_id", "number", "problem"}.
boost::json::object audit_check_json(storage::audit_check const& check);

// "LANE/NUMBER".
std::string to_string(storage::audit_place const& place);
std::optional<storage::audit_place> audit_place_from_string(std::string_view text);

} // namespace postrider::server
