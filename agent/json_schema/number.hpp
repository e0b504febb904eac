#pragma once
// Numbers of JSON as JSON Schema sees them: one kind, whichever of int64, uint64 and double holds
// it.
#include "base/json/json.hpp"

#include <compare>

namespace postrider::agent::json_schema {

// 1.0 is whole.
bool is_whole(boost::json::value const& number);

// Exact. Both are numbers; unordered only with a NaN.
std::partial_ordering compare(boost::json::value const& a, boost::json::value const& b);

// Is the number a multiple of the factor, which is above zero? Exact for decimals of up to 15
// digits (19.99 is a multiple of 0.01) and for integers; a double counts as the decimal of its
// first 15 digits.
bool is_multiple(boost::json::value const& number, boost::json::value const& factor);

std::size_t hash_of_number(boost::json::value const& number);

} // namespace postrider::agent::json_schema
