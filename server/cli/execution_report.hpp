#pragma once
// An execution for a terminal, from the documents that the API gives. Pure.
#include "base/error.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace postrider::cli {

// The execution, a line for each node (what it is, when it began, how long it took, how many items
// came and went, what failed), then the items that came out of each, uncut. What the document lacks
// is left out.
std::string execution_text(boost::json::value const& document);

// The same of a replay: how it ended, and where it departs from the record.
std::string replay_text(boost::json::value const& document);

// Of replays of a flow's last executions: a line for each, and how many are the same.
std::string replays_text(boost::json::value const& document);

// One node of an execution, by name or id: its parameters, what came and what went. not_found: it
// has none of that name.
base::result<std::string> node_text(boost::json::value const& document, std::string_view name);

} // namespace postrider::cli
