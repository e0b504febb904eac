#pragma once
// The text of a definition as a value: JSON of a bounded size, with nothing in it that would be
// lost by reading it (a member that is there twice, a number beyond every double) or cannot be
// stored (U+0000). A byte order mark in front is no part of it. The bounds are
// enforced while reading, so that a hostile text costs no more than its limits. What is wrong goes
// to the list.
#include "agent/flow/document/definition.hpp"

#include <boost/json/value.hpp>

namespace postrider::agent::flow {

// Nothing where the text is no JSON, or beyond a bound: what was read until then is no document.
std::optional<boost::json::value> read_text(
    std::string_view text, definition_limits const& limits, problem_list& problems
);

// The same bounds for what was read elsewhere.
bool within_limits(
    boost::json::value const& document, definition_limits const& limits, problem_list& problems
);

// U+0000 in a text of a document, or in a member's name.
problem nul_at(std::string path);

} // namespace postrider::agent::flow
