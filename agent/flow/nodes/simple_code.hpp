#pragma once
// Code that an expression can stand for: one statement that computes a value of each item, or keeps some of
// the items. By its text alone: it may miss some, and it is only advice. Pure.
#include <string_view>

namespace postrider::agent::flow {

// The type of node that does the same with an expression: "set" or "items.filter"; "" = none is known.
std::string_view simpler_type_than(std::string_view language, std::string_view code);

} // namespace postrider::agent::flow
