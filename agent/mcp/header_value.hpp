#pragma once
// What revision 2026-07-28 repeats of a message in header fields, for those who route and never look
// into bodies. Pure.
#include "agent/mcp/json_rpc.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postrider::agent::mcp {

// What the fields Mcp-Method and Mcp-Name repeat; "" = nothing.
struct routing {
    std::string method;
    std::string name;
};
routing routing_of(message const& content);

// As it is where a header field can hold it, otherwise "=?base64?…?=" of its UTF-8.
std::string encode_header_value(std::string_view text);
// Nothing: it says that it is base64 and is not.
std::optional<std::string> decode_header_value(std::string_view field);

// An argument that a tool's schema wants repeated, by "x-mcp-header".
struct header_mark {
    std::vector<std::string> path; // the names of the properties that lead to it
    std::string name;              // of the field Mcp-Param-name
};

// invalid: a mark that is no name of a field, that stands twice, or at what is neither text, integer
// nor boolean; such a tool is not to be used over HTTP.
base::result<std::vector<header_mark>> read_header_marks(json::object const& input_schema);

// The fields for these arguments. Those that are absent or null have none.
std::vector<std::pair<std::string, std::string>> header_fields(
    std::vector<header_mark> const& marks, json::object const& arguments
);

} // namespace postrider::agent::mcp
