#pragma once
// The text of a definition as a value: JSON of a bounded size, with nothing in it that would be
// lost by reading it (a member that is there twice, a number beyond every double). The bounds are
// enforced while reading, so that a hostile text costs no more than its limits.
#include "agent/flow/definition.hpp"

#include <boost/json/value.hpp>

namespace postrider::agent::flow {

std::variant<boost::json::value, std::vector<problem>> read_text(
    std::string_view text, definition_limits const& limits
);

// The same bounds for what was read elsewhere.
std::vector<problem> beyond_limits(
    boost::json::value const& document, definition_limits const& limits
);

} // namespace postrider::agent::flow
