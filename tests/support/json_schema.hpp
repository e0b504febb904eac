#pragma once
// JSON Schema as far as our OpenAPI document uses it: $ref, type, required, properties,
// additionalProperties, minProperties, items, enum, const, anyOf, minimum, maximum, maxLength.
// Anything else in a schema is itself a mistake, except words for people and "format".
#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace postrider::tests {

// What is wrong with the value, each with its place; empty = it fits. References point into the
// document. `closed`: a member that an object's properties do not name is a mistake even where the
// schema allows more, so that a description cannot fall behind unnoticed.
std::vector<std::string> schema_mistakes(
    boost::json::value const& document,
    boost::json::value const& schema,
    boost::json::value const& value,
    bool closed = true
);

} // namespace postrider::tests
