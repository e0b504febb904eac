#pragma once
// One person's words, cleared place by place (sql/functions/erase.sql): a page in each transaction, so
// that nobody waits for it. What was cleared stays so when it is interrupted; said again it goes on.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <boost/json/array.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

// In the order in which they are cleared: what the later ones look for stands after the earlier.
enum class erasure_place { jobs, messages, sessions, audit, others };
inline constexpr std::array erasure_places{
    erasure_place::jobs,
    erasure_place::messages,
    erasure_place::sessions,
    erasure_place::audit,
    erasure_place::others};

struct erasure_page {
    // By table. Of the others, "running" are turns that a worker has and that were asked to stop, and
    // "unknown" messages of sessions of which nobody knows whose they are, and "quoted" texts beside
    // the audit of others' turns in groups, which may quote the person.
    std::map<std::string, std::int64_t> cleared;
    std::optional<std::string> goes_on; // where; nothing = that was the last page
    // Sessions outside our database in which the person's turns wrote: {"session": as their steps name it, "jobs": […]}.
    boost::json::array outside = {};
};

// Where a look goes on, over several requests: "jobs", or "jobs:[123]".
struct erasure_cursor {
    erasure_place place = erasure_places.front();
    std::optional<std::string> after = {}; // as a page said
};
std::string to_string(erasure_cursor const& cursor);
std::optional<erasure_cursor> erasure_cursor_from_string(std::string_view text);
// Nothing: that was all.
std::optional<erasure_cursor> cursor_behind(erasure_cursor const& at, erasure_page const& page);

// Throws as transaction::query() does.
erasure_page erase(
    transaction& tx,
    erasure_place place,
    user_id person,
    std::optional<std::string> const& after,
    int most
);

} // namespace postrider::storage
