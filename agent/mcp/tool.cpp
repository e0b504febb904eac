#include "agent/mcp/tool.hpp"

#include "base/json/jsonb_form.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::mcp {

namespace {

using base::errc;
using base::error;
using base::json_reader;

constexpr std::size_t longest_name = 128;

bool is_tool_name(std::string_view name) {
    return !name.empty() && name.size() <= longest_name && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
    });
}

tool_annotations read_annotations(json_reader const& hints) {
    tool_annotations const by_default;
    return {
        .read_only = hints["readOnlyHint"].boolean_or(by_default.read_only),
        .destructive = hints["destructiveHint"].boolean_or(by_default.destructive),
        .idempotent = hints["idempotentHint"].boolean_or(by_default.idempotent),
        .open_world = hints["openWorldHint"].boolean_or(by_default.open_world)};
}

// Servers leave the type out, name null beside it, or name none of JSON Schema's: "any".
bool may_be_object(json_reader const& type) {
    constexpr std::array<std::string_view, 6> others{
        "array", "string", "number", "integer", "boolean", "null"};
    auto const is_other = [&](json_reader const& item) {
        return std::ranges::find(others, item.string_or("")) != others.end();
    };
    auto const items = type.items_or_none();
    return items.empty() ? !is_other(type) : !std::ranges::all_of(items, is_other);
}

void to_record_form(tool_definition& tool) {
    base::to_jsonb_form(tool.title);
    base::to_jsonb_form(tool.description);
    base::to_jsonb_form(tool.input_schema);
    if (tool.output_schema) base::to_jsonb_form(*tool.output_schema);
}

void add_tool(json_reader const& tool, tool_page& page) {
    tool_definition definition;
    definition.name = tool["name"].string_or("");
    if (!is_tool_name(definition.name)) {
        page.dropped.push_back({definition.name.substr(0, longest_name), "is no name of a tool"});
        return;
    }
    auto const input = tool["inputSchema"];
    if (!input.is_object() || !may_be_object(input["type"])) {
        page.dropped.push_back({definition.name, "has no schema of an object for its input"});
        return;
    }
    definition.input_schema = input.raw()->get_object();
    definition.input_schema["type"] = "object"; // as the protocol wants it
    if (auto const output = tool["outputSchema"]; output.is_object())
        definition.output_schema = output.raw()->get_object();
    definition.title = tool["title"].string_or(tool["annotations"]["title"].string_or(""));
    definition.description = tool["description"].string_or("");
    definition.annotations = read_annotations(tool["annotations"]);
    to_record_form(definition);
    page.tools.push_back(std::move(definition));
}

embedded_resource read_resource(json_reader const& resource) {
    return {
        resource["uri"].string_or(""),
        resource["mimeType"].string_or(""),
        resource["text"].string_or(""),
        resource["blob"].string_or("")};
}

content_part read_part(json_reader const& part) {
    if (part.is_string()) return text_content{part.string()};
    auto const type = part["type"].string_or("");
    auto const media_type = part["mimeType"].string_or("");
    if (type == "text") return text_content{part["text"].string_or("")};
    if (type == "image") return image_content{media_type, part["data"].string_or("")};
    if (type == "audio") return audio_content{media_type, part["data"].string_or("")};
    if (type == "resource") return read_resource(part["resource"]);
    if (type == "resource_link")
        return resource_link{
            part["uri"].string_or(""),
            part["name"].string_or(""),
            part["description"].string_or(""),
            media_type};
    return unknown_content{type};
}

// Absent from servers that know only revisions with a handshake.
base::result<void> check_complete(json_reader const& result) {
    auto const type = result["resultType"].string_or("complete");
    if (type == "complete") return {};
    if (type == "input_required")
        return error(errc::refused, "the server asks for input in the middle of a call");
    return error(errc::invalid, "the server's result is of an unknown type");
}

} // namespace

base::result<tool_page> read_tool_page(json::value const& result) {
    json_reader const root{result};
    auto const complete = check_complete(root);
    if (!complete) return complete.error();
    auto const items = root["tools"].items();
    if (root.failed()) return root.failure();
    tool_page page;
    for (auto const& item : items) add_tool(item, page);
    page.is_last = !root["nextCursor"].is_string();
    page.next_cursor = root["nextCursor"].string_or("");
    if (auto const fresh = root["ttlMs"].int64_or(-1); fresh >= 0)
        page.fresh_for = std::chrono::milliseconds{fresh};
    return page;
}

json::object to_json(tool_definition const& tool) {
    json::object entry{
        {"name", tool.name},
        {"title", tool.title},
        {"description", tool.description},
        {"inputSchema", tool.input_schema},
        {"annotations",
         {{"readOnlyHint", tool.annotations.read_only},
          {"destructiveHint", tool.annotations.destructive},
          {"idempotentHint", tool.annotations.idempotent},
          {"openWorldHint", tool.annotations.open_world}}}};
    if (tool.output_schema) entry["outputSchema"] = *tool.output_schema;
    return entry;
}

base::result<tool_result> read_tool_result(json::value const& result) {
    json_reader const root{result};
    if (!root.is_object()) return error(errc::invalid, "the server's result is no object");
    auto const complete = check_complete(root);
    if (!complete) return complete.error();
    tool_result read;
    if (auto const structured = root["structuredContent"]) read.structured = *structured.raw();
    auto const content = root["content"];
    if (!content && !read.structured)
        return error(errc::invalid, "the server's result has no content");
    for (auto const& part : content.items_or_none())
        if (part) read.content.push_back(read_part(part));
    read.is_error = root["isError"].boolean_or(false);
    read.error_class = base::errc_from_string(root["_meta"][error_class_member].string_or(""));
    return read;
}

} // namespace postrider::agent::mcp
