#pragma once
// The words that the descriptions of node types are made of.
#include "agent/flow/node_type.hpp"
#include "agent/folded_text.hpp"

#include <initializer_list>
#include <string_view>

namespace postrider::agent::flow {

// The schema of a type's parameters, of its properties as they stand in JSON. A parameter that is
// not among them is refused.
boost::json::object parameters(
    std::string_view properties, std::initializer_list<std::string_view> required = {}
);
// Adds that exactly one of the parameters must be written.
boost::json::object one_of(
    boost::json::object schema, std::initializer_list<std::string_view> names
);

// The schema of a trigger's item, of its fields as they stand in JSON.
boost::json::object item_fields(std::string_view properties);

port main_input();
port main_output();
port ai_output(connection_kind kind);

} // namespace postrider::agent::flow
