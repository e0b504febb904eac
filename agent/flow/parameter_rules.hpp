#pragma once
// What a type's schema says of each of its parameters, read once: every execution asks.
#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <vector>

namespace postrider::agent::flow {

struct parameter_rule {
    std::string name;
    bool may_be_null = false;
    bool only_text = false;
    bool may_have_formats = false;              // itself, or within
    std::optional<boost::json::value> fallback; // a default that holds no expression
};

// `schema` is a node_type's.
std::vector<parameter_rule> parameter_rules_of(boost::json::object const& schema);

} // namespace postrider::agent::flow
