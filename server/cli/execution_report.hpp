#pragma once
// An execution for a terminal, from the document that the API gives. Pure.
#include <boost/json/value.hpp>

#include <string>

namespace postrider::cli {

// The execution, then a line for each node: what it is, when it began, how long it took, how many
// items came and went, what failed. What the document lacks is left out.
std::string execution_text(boost::json::value const& document);

} // namespace postrider::cli
