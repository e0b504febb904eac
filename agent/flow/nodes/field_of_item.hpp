#pragma once
// Nodes that add a field to each item. Pure.
#include "agent/flow/node_type.hpp"

#include <string_view>

namespace postrider::agent::flow {

// The item with that field more; an item that is no object has no fields to keep.
inline boost::json::object with_field(
    item const& input, std::string_view name, boost::json::value value
) {
    auto const* members = input.json.if_object();
    auto fields = members ? *members : boost::json::object{};
    fields[name] = std::move(value);
    return fields;
}

} // namespace postrider::agent::flow
