#pragma once
// The words that the descriptions of node types are made of.
#include "agent/describe/choice.hpp"
#include "agent/describe/folded_text.hpp"
#include "agent/flow/node_type.hpp"

#include <initializer_list>
#include <string>
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

// Adds the names that a parameter takes, and behind its description what they mean.
template<class T>
void apply_choices(std::span<named_choice<T> const> choices, boost::json::value& parameter) {
    auto& schema = parameter.as_object();
    std::string text;
    if (auto const* said = schema.if_contains("description")) text = said->as_string();
    boost::json::array names;
    for (auto const& choice : choices) {
        text.append(text.empty() ? "" : " ").append(choice.name).append(": ");
        text.append(choice.meaning).append(".");
        names.emplace_back(choice.name);
    }
    schema["description"] = text;
    schema["enum"] = std::move(names);
}

// The schema of a trigger's item, of its fields as they stand in JSON.
boost::json::object item_fields(std::string_view properties);

port main_input();
port main_output();

} // namespace postrider::agent::flow
