#pragma once
// Tools of a server and their results, as values. Pure: read from what the server sent. A tool is the
// same before and after a job's record has kept it: its texts have no U+0000, its schemas jsonb's order.
#include "base/json/json.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace postrider::agent::mcp {

namespace json = boost::json;

// Hints of a server that nobody vouches for; what it leaves out is as the protocol says.
struct tool_annotations {
    bool read_only = false;
    bool destructive = true; // may undo or delete; of no meaning for one that only reads
    bool idempotent = false; // twice is as once
    bool open_world = true;  // reaches beyond the server

    bool operator==(tool_annotations const&) const = default;
};

struct tool_definition {
    std::string name;
    std::string title; // "" = none
    std::string description;
    json::object input_schema;
    std::optional<json::object> output_schema;
    tool_annotations annotations;
};

struct tool_note {
    std::string name;
    std::string reason;
};

struct tool_page {
    std::vector<tool_definition> tools;
    std::vector<tool_note> dropped; // those that cannot be used
    std::string next_cursor;        // may be ""
    bool is_last = true;
    std::optional<std::chrono::milliseconds> fresh_for;
};
// Of tools/list. invalid: it is no list.
base::result<tool_page> read_tool_page(json::value const& result);
// As an entry of such a list, which reads as the same definition.
json::object to_json(tool_definition const& tool);

struct text_content {
    std::string text;
};
struct image_content {
    std::string media_type;
    std::string base64;
};
struct audio_content {
    std::string media_type;
    std::string base64;
};
struct resource_link {
    std::string uri;
    std::string name;
    std::string description;
    std::string media_type;
};
struct embedded_resource {
    std::string uri;
    std::string media_type;
    std::string text;
    std::string base64; // instead of the text
};
struct unknown_content {
    std::string type;
};
using content_part = std::variant<
    text_content,
    image_content,
    audio_content,
    resource_link,
    embedded_resource,
    unknown_content>;

// In the _meta of the result of a tool of ours that failed: the class of the failure. The words in the
// content are for people and models.
inline constexpr std::string_view error_class_member = "postrider/error_class";

struct tool_result {
    std::vector<content_part> content;
    std::optional<json::value> structured;
    bool is_error = false; // the tool failed, and the content says why: for the model
    std::optional<base::errc> error_class = {}; // of that, where a server of ours says it
};
// Of tools/call. invalid: it is no result; refused: it asks for input that nobody was to be asked for.
base::result<tool_result> read_tool_result(json::value const& result);

} // namespace postrider::agent::mcp
