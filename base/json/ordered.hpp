#pragma once
// A text that two JSON values share when they are equal but for the order of their members: for
// digests, not to be read. Pure.
#include <boost/json/value.hpp>

#include <string>

namespace postrider::base {

// Not JSON: commas stand at the ends.
std::string ordered_json(boost::json::value const& value);

} // namespace postrider::base
