#include "agent/tools/check_arguments.hpp"

#include "base/json.hpp"

#include <cmath>

namespace postrider::agent {

namespace json = boost::json;

namespace {

bool whole(json::value const& value) {
    if (value.is_int64() || value.is_uint64()) return true;
    // 3.0 is an integer in JSON Schema.
    return value.is_double() && std::trunc(value.get_double()) == value.get_double();
}

bool is_of(json::value const& value, std::string_view type) {
    if (type == "string") return value.is_string();
    if (type == "integer") return whole(value);
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_bool();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    if (type == "null") return value.is_null();
    return true; // not for us to judge
}

// The types that the member's schema allows; none = any.
std::vector<std::string> types_of(base::json_reader const& schema) {
    auto type = schema["type"];
    if (type.is_string()) return {type.string()};
    std::vector<std::string> types;
    for (auto const& one : type.items_or_none()) types.push_back(one.string_or(""));
    return types;
}

std::string joined(std::vector<std::string> const& words) {
    std::string text;
    for (auto const& word : words) text += (text.empty() ? "" : " or ") + word;
    return text;
}

} // namespace

base::result<void> check_arguments(json::object const& schema, json::object const& arguments) {
    json::value const document = schema;
    base::json_reader root{document};
    for (auto const& name : root["required"].items_or_none()) {
        auto wanted = name.string_or("");
        if (!arguments.contains(wanted))
            return base::error(base::errc::invalid, "the argument \"" + wanted + "\" is missing");
    }
    for (auto const& [key, value] : arguments) {
        std::string_view const name{key.data(), key.size()};
        auto types = types_of(root["properties"][name]);
        if (types.empty()) continue;
        bool const fits =
            std::ranges::any_of(types, [&v = value](auto const& type) { return is_of(v, type); });
        if (!fits)
            return base::error(
                base::errc::invalid,
                "the argument \"" + std::string(name) + "\" must be of type " + joined(types)
            );
    }
    return {};
}

} // namespace postrider::agent
