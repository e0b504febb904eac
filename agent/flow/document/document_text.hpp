#pragma once
// JSON as people read and compare it: two blanks for each level, what fits on a line and holds no
// other container on one line, members in their order, numbers in their shortest form. The same
// value always gives the same text, which ends with a line end; reading it gives the same value.
#include <boost/json/value.hpp>

#include <string>

namespace postrider::agent::flow {

std::string document_text(boost::json::value const& document);

} // namespace postrider::agent::flow
