#include "agent/mcp/header_value.hpp"

#include "base/ascii.hpp"
#include "net/base64.hpp"

#include <boost/json/value.hpp>

#include <algorithm>
#include <array>

namespace postrider::agent::mcp {

namespace {

using base::errc;
using base::error;

constexpr std::string_view mark_begin = "=?base64?";
constexpr std::string_view mark_end = "?=";
constexpr std::size_t deepest = 32; // levels of a schema
constexpr std::string_view keyword = "x-mcp-header";

bool is_printable(char c) {
    return c >= 0x20 && c <= 0x7e;
}

// A name of a header field, by RFC 9110.
bool is_token(std::string_view text) {
    constexpr std::string_view others = "!#$%&'*+-.^_`|~";
    return !text.empty() && std::ranges::all_of(text, [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               others.find(c) != others.npos;
    });
}

bool can_be_marked(json::object const& property) {
    constexpr std::array<std::string_view, 3> types{"string", "integer", "boolean"};
    auto const* type = property.if_contains("type");
    auto const* name = type ? type->if_string() : nullptr;
    return name && std::ranges::find(types, std::string_view(*name)) != types.end();
}

base::result<void> check_mark(
    json::value const& mark,
    json::object const& property,
    std::vector<header_mark> const& earlier_marks
) {
    auto const* name = mark.if_string();
    if (!name || !is_token(*name)) return error(errc::invalid, "x-mcp-header is no header's name");
    if (!can_be_marked(property))
        return error(errc::invalid, "x-mcp-header at what is neither text, integer nor boolean");
    auto same = [&](header_mark const& other) {
        return base::equals_without_case(other.name, std::string_view(*name));
    };
    if (std::ranges::any_of(earlier_marks, same))
        return error(errc::invalid, "x-mcp-header with one name twice");
    return {};
}

base::result<void> collect(
    json::object const& schema,
    std::vector<std::string> const& path,
    std::vector<header_mark>& marks
) {
    auto const* properties = schema.if_contains("properties");
    if (!properties || !properties->is_object() || path.size() >= deepest) return {};
    for (auto const& [key, value] : properties->get_object()) {
        auto const* property = value.if_object();
        if (!property) continue;
        auto place = path;
        place.emplace_back(key);
        if (auto const* mark = property->if_contains(keyword); mark && !mark->is_null()) {
            auto checked = check_mark(*mark, *property, marks);
            if (!checked) return checked;
            marks.push_back({place, std::string(mark->get_string())});
        }
        auto below = collect(*property, place, marks);
        if (!below) return below;
    }
    return {};
}

std::optional<std::string> field_value(json::value const& argument) {
    if (auto const* text = argument.if_string()) return encode_header_value(*text);
    if (argument.is_bool()) return argument.get_bool() ? "true" : "false";
    if (argument.is_int64()) return std::to_string(argument.get_int64());
    if (argument.is_uint64()) return std::to_string(argument.get_uint64());
    return std::nullopt;
}

json::value const* find(json::object const& arguments, std::vector<std::string> const& path) {
    json::object const* within = &arguments;
    json::value const* value = nullptr;
    for (auto const& name : path) {
        value = within ? within->if_contains(name) : nullptr;
        if (!value) return nullptr;
        within = value->if_object();
    }
    return value;
}

} // namespace

routing routing_of(message const& content) {
    if (auto const* notification = std::get_if<rpc_notification>(&content))
        return {notification->method, {}};
    auto const* request = std::get_if<rpc_request>(&content);
    if (!request) return {};
    auto const& method = request->method;
    std::string_view key;
    if (method == "tools/call" || method == "prompts/get") key = "name";
    if (method == "resources/read") key = "uri";
    auto const* name = key.empty() ? nullptr : request->params.if_contains(key);
    if (!name || !name->is_string()) return {method, {}};
    return {method, std::string(name->get_string())};
}

std::string encode_header_value(std::string_view text) {
    bool const plain = std::ranges::all_of(text, is_printable) && !text.starts_with(' ') &&
                       !text.ends_with(' ') && !text.starts_with(mark_begin);
    if (plain) return std::string(text);
    return std::string(mark_begin) + net::to_base64(text) + std::string(mark_end);
}

std::optional<std::string> decode_header_value(std::string_view field) {
    if (!field.starts_with(mark_begin)) return std::string(field);
    field.remove_prefix(mark_begin.size());
    if (!field.ends_with(mark_end)) return std::nullopt;
    field.remove_suffix(mark_end.size());
    return net::from_base64(field);
}

base::result<std::vector<header_mark>> read_header_marks(json::object const& input_schema) {
    std::vector<header_mark> marks;
    auto collected = collect(input_schema, {}, marks);
    if (!collected) return collected.error();
    return marks;
}

std::vector<std::pair<std::string, std::string>> header_fields(
    std::vector<header_mark> const& marks, json::object const& arguments
) {
    std::vector<std::pair<std::string, std::string>> fields;
    for (auto const& mark : marks) {
        auto const* argument = find(arguments, mark.path);
        auto value = argument ? field_value(*argument) : std::nullopt;
        if (value) fields.emplace_back("Mcp-Param-" + mark.name, std::move(*value));
    }
    return fields;
}

} // namespace postrider::agent::mcp
