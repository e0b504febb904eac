#include "agent/talk/message_file.hpp"

#include "base/ascii.hpp"
#include "base/names.hpp"

#include <array>
#include <utility>

namespace postrider::agent {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view as_text = "text/plain";
constexpr std::string_view as_page = "text/html";

constexpr std::array page_types{"text/html"sv, "application/xhtml+xml"sv};
constexpr std::array page_endings{"html"sv, "htm"sv, "xhtml"sv};
constexpr std::array text_types{
    "application/json"sv,
    "application/x-ndjson"sv,
    "application/xml"sv,
    "application/yaml"sv,
    "application/x-yaml"sv};
constexpr std::array text_endings{
    "txt"sv,
    "text"sv,
    "md"sv,
    "markdown"sv,
    "csv"sv,
    "tsv"sv,
    "json"sv,
    "jsonl"sv,
    "ndjson"sv,
    "yaml"sv,
    "yml"sv,
    "xml"sv,
    "log"sv};
// They begin like texts, and are none for a reader.
constexpr std::array formatted_types{"text/rtf"sv, "text/richtext"sv};
// What a sender gives a file whose type it does not know.
constexpr std::array silent_types{""sv, "application/octet-stream"sv, "binary/octet-stream"sv};

std::string plain_type(std::string_view mime) {
    auto type = base::to_lower(std::string(mime.substr(0, mime.find(';'))));
    while (type.ends_with(' ')) type.pop_back();
    return type;
}

std::string name_ending(std::string_view name) {
    auto const dot = name.rfind('.');
    return dot == name.npos ? std::string() : base::to_lower(std::string(name.substr(dot + 1)));
}

} // namespace

std::string_view readable_as(message_file const& file) {
    if (std::cmp_greater(file.bytes, most_readable_bytes)) return {};
    auto const type = plain_type(file.mime);
    if (base::is_among(page_types, type)) return as_page;
    if (base::is_among(formatted_types, type)) return {};
    if (type.starts_with("text/") || base::is_among(text_types, type)) return as_text;
    if (!base::is_among(silent_types, type)) return {};
    auto const ending = name_ending(file.name);
    if (base::is_among(page_endings, ending)) return as_page;
    return base::is_among(text_endings, ending) ? as_text : std::string_view();
}

} // namespace postrider::agent
