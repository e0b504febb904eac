// JSON with {{ expressions }}: one within a string is a part of its text, one in place of a value is that value.
#include "agent/flow/n8n/translation.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

// A string that holds an expression becomes a template.
json::value marked(json::value value) {
    if (auto* text = value.if_string()) {
        if (text->find("{{") != text->npos && !text->starts_with("=")) text->insert(0, "=");
    } else if (auto* array = value.if_array()) {
        for (auto& item : *array) item = marked(std::move(item));
    } else if (auto* object = value.if_object()) {
        for (auto& [name, member] : *object) member = marked(std::move(member));
    }
    return value;
}

} // namespace

std::optional<json::value> read_json_template(std::string_view text) {
    std::string result;
    bool in_string = false;
    while (!text.empty()) {
        auto const end = text.starts_with("{{") ? text.find("}}", 2) : text.npos;
        if (end != text.npos) {
            auto const source = base::json_text(json::value(text.substr(0, end + 2)));
            auto const inner = source.substr(1, source.size() - 2);
            result += in_string ? inner : "\"=" + inner + "\"";
            text.remove_prefix(end + 2);
            continue;
        }
        char const c = text.front();
        text.remove_prefix(1);
        if (in_string && c == '\\' && !text.empty()) {
            result += c;
            result += text.front();
            text.remove_prefix(1);
            continue;
        }
        if (c == '"') in_string = !in_string;
        // n8n lets a text go over lines.
        if (in_string && c == '\n')
            result += "\\n";
        else if (in_string && c == '\t')
            result += "\\t";
        else
            result += c;
    }
    auto value = base::parse_json(result, {.depth = 32});
    if (!value) return std::nullopt;
    return marked(std::move(*value));
}

} // namespace postrider::agent::flow::n8n
