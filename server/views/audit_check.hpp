#pragma once
// A look at the whole audit, page by page, for the command line and the API: its chains first, then
// whether the ends of the chains are there. Each page is a transaction of the caller, so that a long
// look keeps no old rows alive.
#include "server/views/audit_json.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::server {

// Where the look goes on.
struct audit_cursor {
    storage::audit_place place = storage::before_all_audit;
    std::optional<lane_id> ends = {}; // the chains hold or not: their ends, behind this lane
};

// "LANE/NUMBER", or "ends/LANE".
std::string to_string(audit_cursor const& cursor);
std::optional<audit_cursor> audit_cursor_from_string(std::string_view text);

// Adds a page to the verdict. Behind a break the rest of its chain says nothing: the look goes on with
// the next chain. Nothing: that was all. Throws as storage::transaction::query() does.
std::optional<audit_cursor> check_audit(
    storage::transaction& tx, audit_cursor cursor, audit_verdict& verdict
);

} // namespace postrider::server
