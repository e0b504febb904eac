// type, enum and const: rules for values of every kind.
#include "agent/json_schema/definition.hpp"
#include "agent/json_schema/number.hpp"
#include "agent/json_schema/values.hpp"

namespace postrider::agent::json_schema {

namespace json = boost::json;

namespace {

bool is_of(json::value const& value, std::string_view type) {
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number() && is_whole(value);
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_bool();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    return value.is_null();
}

rule type(definition const& d) {
    static constexpr std::string_view type_names[] = {
        "string", "integer", "number", "boolean", "array", "object", "null"};
    auto types = d.value().is_string() ? std::vector{d.text()} : d.names();
    if (types.empty()) d.refuse("must name a type");
    std::string message;
    for (auto const& each : types) {
        if (std::ranges::find(type_names, each) == std::end(type_names))
            d.refuse(quote(each) + " is no type");
        message += (message.empty() ? "must be " : " or ") + std::string(kind_called(each));
    }
    return [types = std::move(types), message = std::move(message)](trial const& t) {
        auto const fits = [&](auto const& each) { return is_of(t.value(), each); };
        return std::ranges::any_of(types, fits) || t.refuse([&] {
            bool const half = t.value().is_number() && !is_whole(t.value());
            return message + ", not " + (half ? "a fraction" : std::string(kind_of(t.value())));
        });
    };
}

rule enumeration(definition const& d) {
    std::vector<json::value> choices;
    std::vector<std::string> names;
    for (auto const& each : d.list()) {
        choices.emplace_back(each, json::storage_ptr{});
        names.push_back(shown(each));
    }
    // No value would fit; that of a foreign schema has lost its choices.
    if (choices.empty() && d.options().skips_unusable) d.refuse("must not be empty");
    return [choices = std::move(choices),
            work = work_of(d.value()),
            message = "must be one of " + listed(names)](trial const& t) {
        if (!t.during.spend(work)) return false;
        auto const fits = [&](auto const& each) { return same(t.value(), each); };
        return std::ranges::any_of(choices, fits) || t.refuse([&] { return message; });
    };
}

rule constant(definition const& d) {
    return [only = json::value(d.value(), json::storage_ptr()),
            work = work_of(d.value()),
            message = "must be " + shown(d.value())](trial const& t) {
        if (!t.during.spend(work)) return false;
        return same(t.value(), only) || t.refuse([&] { return message; });
    };
}

} // namespace

std::span<word const> value_words() {
    static constexpr word words[] = {{"type", type}, {"const", constant}, {"enum", enumeration}};
    return words;
}

} // namespace postrider::agent::json_schema
