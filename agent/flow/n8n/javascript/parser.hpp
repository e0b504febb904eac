#pragma once
// Reads one expression of JavaScript: literals, templates, patterns, operators without effects, members,
// calls, arrow functions, and within those constants, conditions and return. Nothing is run.
//
// Total: whatever the text, it ends, in a bounded depth. What is left out (statements, assignments,
// classes, async) is refused with its reason.
#include "agent/flow/n8n/javascript/tree.hpp"

#include <boost/system/result.hpp>

#include <string_view>

namespace postrider::agent::flow::n8n::javascript {

struct refusal {
    std::string reason; // a sentence without its full stop
};
[[noreturn]] void throw_exception_from_error(
    refusal const& refusal, boost::source_location const& where
);

boost::system::result<node_pointer, refusal> parse(std::string_view source);

} // namespace postrider::agent::flow::n8n::javascript
