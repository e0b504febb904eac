// JSON with {{ expressions }}: one within a string is a part of its text, one in place of a value is that value.
#include "agent/flow/n8n/translation.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <algorithm>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

bool has_braces(std::string_view text) {
    return text.find("{{") != text.npos;
}

// The strings as parameters of n8n's. False: a member's name has an expression.
bool mark_strings(json::value& value, bool has_expressions) {
    if (auto* text = value.if_string()) {
        // What begins with "=" is no expression for that.
        if (text->starts_with('=') || (has_expressions && has_braces(*text))) text->insert(0, "=");
        return true;
    }
    if (auto* array = value.if_array())
        return std::ranges::all_of(*array, [&](json::value& item) {
            return mark_strings(item, has_expressions);
        });
    auto* object = value.if_object();
    return !object || std::ranges::all_of(*object, [&](auto& member) {
        return !(has_expressions && has_braces(member.key())) &&
               mark_strings(member.value(), has_expressions);
    });
}

// The text with its expressions in strings, also those that stand for a value, and its strings on one line.
std::string plain_json(std::string_view text, bool has_expressions) {
    std::string result;
    bool in_string = false;
    std::size_t end = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        char const c = text[at];
        bool const opens = has_expressions && text.substr(at).starts_with("{{");
        if (opens && end < at + 2) end = text.find("}}", at + 2);
        if (opens && end != text.npos) {
            auto const source = base::json_text(json::value(text.substr(at, end + 2 - at)));
            result += in_string ? source.substr(1, source.size() - 2) : source;
            at = end + 1;
        } else if (in_string && c == '\\' && at + 1 < text.size()) {
            result += text.substr(at++, 2);
        } else if (in_string && (c == '\n' || c == '\t')) {
            // n8n lets a text go over lines.
            result += c == '\n' ? "\\n" : "\\t";
        } else {
            if (c == '"') in_string = !in_string;
            result += c;
        }
    }
    return result;
}

} // namespace

std::optional<json::value> read_json_template(std::string_view text) {
    bool const has_expressions = is_template(text);
    if (has_expressions) text.remove_prefix(1);
    auto value = base::parse_json(plain_json(text, has_expressions), {.depth = 32});
    if (!value || !mark_strings(*value, has_expressions)) return std::nullopt;
    return std::move(*value);
}

} // namespace postrider::agent::flow::n8n
