#pragma once
// What the values of expressions are, and how they compare and print. The values are JSON's;
// numbers compare by what they are, whether JSON holds them as integers or as doubles.
#include "agent/expression/budget.hpp"

#include <compare>
#include <span>
#include <vector>

namespace postrider::agent::expressions {

// null, bool, number, string, array or object: as type() says it, and as errors do.
std::string_view type_name(json::value const& value) noexcept;

inline std::string_view view(json::string const& text) noexcept {
    return {text.data(), text.size()};
}

// A whole number below 2^53 is an integer of JSON, so that it prints without a point.
json::value number_value(double number);

// Deep; of two types: unequal.
fallible<bool> equal(json::value const& left, json::value const& right, budget& budget);
// Two numbers, or two texts by their code points.
fallible<std::strong_ordering> compare(
    json::value const& left, json::value const& right, budget& budget
);

// The positions of the keys in ascending order, equal ones as they come. All keys are numbers, or
// all are texts.
fallible<std::vector<std::size_t>> sorted_order(
    std::span<json::value const* const> keys, budget& budget
);

// As the name of a member: JSON has no other keys than strings. Of a string, a number or a bool.
fallible<std::string> key_text(json::value const& value);

// As it stands within a text, see text_of(); false: the budget is used up.
bool append_text(bounded_text& text, json::value const& value);
// As compact JSON: doubles as short as they read back the same.
bool append_json(bounded_text& text, json::value const& value);

// "; did you mean `name`?", or "". Looks at no more than small objects.
std::string suggestion(std::string_view name, std::span<std::string const> candidates);
std::string suggestion(std::string_view name, json::object const& members, budget& budget);

} // namespace postrider::agent::expressions
