#include "agent/models/refused_tools.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

namespace postrider::agent {

namespace {

bool is_in_names(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

// "tools[3].function.parameters", "tools.3.custom.input_schema", "function_declarations[3].parameters",
// "body -> tools -> 3", "('body', 'tools', 3)".
std::optional<std::size_t> place_after(std::string_view text, std::string_view list) {
    constexpr std::array<std::string_view, 9> joints{
        "[", ".", "/", "->", " -> ", "', ", "\", ", "'][", "\"]["};
    for (auto at = text.find(list); at != text.npos; at = text.find(list, at + 1)) {
        auto const rest = text.substr(at + list.size());
        for (auto const joint : joints) {
            if (!rest.starts_with(joint)) continue;
            std::size_t place = 0;
            auto const digits = rest.substr(joint.size());
            auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), place);
            if (read.ec == std::errc{}) return place;
        }
    }
    return std::nullopt;
}

// "get_weather", "getWeather", "search2": nobody says that but of the tool.
bool is_no_usual_word(std::string_view name) {
    if (name.find_first_of("_0123456789") != name.npos) return true;
    bool const has_small = std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
    return has_small && std::any_of(name.begin() + 1, name.end(), is_capital);
}

// Of the conversation rather than of what is declared: "Function call current_time lacks a thought_signature".
bool is_about_calls(std::string_view text) {
    auto const speaks = [&](std::initializer_list<std::string_view> words) {
        return std::ranges::any_of(words, [&](auto word) { return text.find(word) != text.npos; });
    };
    return speaks(
               {"function call",
                "functioncall",
                "function response",
                "tool call",
                "tool_call",
                "tool_use",
                "tool_result",
                "thought_signature"}
           ) &&
           !speaks({"schema", "definition", "declaration", "parameters"});
}

// The text before the name, in lower case: "function: ", "for tool '".
bool is_announced(std::string_view before) {
    constexpr std::array<std::string_view, 6> words{
        "tool", "function", "for", "name", "named", "called"};
    auto const end = before.find_last_not_of(" :='\"`");
    if (end == before.npos || end + 1 == before.size()) return false;
    before = before.substr(0, end + 1);
    auto const begin = std::find_if_not(before.rbegin(), before.rend(), is_in_names).base();
    return std::ranges::find(words, std::string_view(begin, before.end())) != words.end();
}

bool is_enclosed(std::string_view before, std::string_view after) {
    constexpr std::array<std::string_view, 9> left_marks{
        "'", "\"", "`", "(", "[", "{", "<", "“", "‘"};
    bool const is_open =
        std::ranges::any_of(left_marks, [&](auto mark) { return before.ends_with(mark); });
    return is_open && !after.starts_with(' ');
}

// Both in lower case.
bool is_named_in(std::string_view text, std::string_view name, bool is_usual) {
    for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        auto const before = text.substr(0, at);
        auto const after = text.substr(at + name.size());
        bool const begins = before.empty() || !is_in_names(before.back());
        bool const ends = after.empty() || !is_in_names(after.front());
        if (!begins || !ends) continue;
        if (!is_usual || is_announced(before) || is_enclosed(before, after)) return true;
    }
    return false;
}

} // namespace

tool_spec const* find_refused_tool(tool_list const& tools, std::string_view words) {
    auto const text = base::to_lower(std::string(words));
    bool const names_calls = is_about_calls(text);
    tool_spec const* named = nullptr;
    for (auto const& tool : tools) {
        bool const is_longer = !named || tool.name.size() > named->name.size();
        bool const is_usual = names_calls || !is_no_usual_word(tool.name);
        if (is_longer && is_named_in(text, base::to_lower(tool.name), is_usual)) named = &tool;
    }
    if (named) return named;
    // Gemini counts its declarations within the first of "tools".
    for (std::string_view const list : {"function_declarations", "functiondeclarations", "tools"})
        if (auto const place = place_after(text, list))
            return *place < tools.size() ? &tools.at(*place) : nullptr;
    return nullptr;
}

tool_list without_tools(
    tool_list const& tools, std::function<bool(tool_spec const&)> const& is_left_out
) {
    std::vector<tool_spec> kept;
    for (auto const& tool : tools)
        if (!is_left_out(tool)) kept.push_back(tool);
    return tool_list(std::move(kept));
}

} // namespace postrider::agent
