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

// The number directly behind those words, wherever they stand.
std::optional<std::size_t> number_behind(std::string_view text, std::string_view words) {
    for (auto at = text.find(words); at != text.npos; at = text.find(words, at + 1)) {
        std::size_t number = 0;
        auto const digits = text.substr(at + words.size());
        auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (read.ec == std::errc{}) return number;
    }
    return std::nullopt;
}

// "tools[3].function.parameters", "tools.3.custom.input_schema", "function_declarations[3].parameters",
// "body -> tools -> 3", "('body', 'tools', 3)".
std::optional<std::size_t> place_after(std::string_view text, std::string_view list) {
    constexpr std::array<std::string_view, 9> joints{
        "[", ".", "/", "->", " -> ", "', ", "\", ", "'][", "\"]["};
    for (auto const joint : joints)
        if (auto const place = number_behind(text, std::string(list).append(joint))) return place;
    return std::nullopt;
}

// "(tool index 3)", "tool definition #4".
std::optional<std::size_t> place_in_words(std::string_view text) {
    for (std::string_view const words :
         {"tool index ", "tool at index ", "function index ", "function at index "})
        if (auto const place = number_behind(text, words)) return place;
    for (std::string_view const words :
         {"tool #", "tool definition #", "function #", "function definition #"})
        if (auto const number = number_behind(text, words); number && *number > 0)
            return *number - 1;
    return std::nullopt;
}

// Gemini counts its declarations within the first of "tools".
std::optional<std::size_t> place_of_tool(std::string_view text) {
    for (std::string_view const list : {"function_declarations", "functiondeclarations", "tools"})
        if (auto const place = place_after(text, list)) return place;
    return place_in_words(text);
}

// "get_weather", "getWeather", "search2": nobody says that but of the tool.
bool is_no_usual_word(std::string_view name) {
    if (name.find_first_of("_0123456789") != name.npos) return true;
    bool const has_small = std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; });
    return has_small && std::any_of(name.begin() + 1, name.end(), is_capital);
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::any_of(words, [&](auto word) { return text.find(word) != text.npos; });
}

// Of the conversation rather than of what is declared: "Function call current_time lacks a thought_signature".
bool is_about_calls(std::string_view text) {
    return has_any(
               text,
               {"function call",
                "functioncall",
                "function response",
                "tool call",
                "tool_call",
                "tool_use",
                "tool_result",
                "thought_signature"}
           ) &&
           !has_any(text, {"schema", "definition", "declaration", "parameters"});
}

bool is_about_answers(std::string_view text) {
    return has_any(
        text,
        {"response_format",
         "response format",
         "responseformat",
         "text.format",
         "response_schema",
         "response schema",
         "responseschema",
         "output_format",
         "output_config",
         "output schema"}
    );
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

// Under a name with one mark for all that joins its parts: "echo-echo" for echo_echo. Both in lower case.
bool is_named_otherwise(std::string_view text, std::string_view name) {
    return std::ranges::any_of(std::string_view("_-."), [&](char mark) {
        std::string other(name);
        std::ranges::replace_if(
            other, [](char c) { return c == '_' || c == '-'; }, mark
        );
        return other != name && is_named_in(text, other, true);
    });
}

// The one with the longest name, of those of which it is true.
tool_spec const* longest_named(
    tool_list const& tools, std::function<bool(tool_spec const&)> const& is_named
) {
    tool_spec const* named = nullptr;
    for (auto const& tool : tools)
        if ((!named || tool.name.size() > named->name.size()) && is_named(tool)) named = &tool;
    return named;
}

} // namespace

tool_spec const* find_refused_tool(tool_list const& tools, refusal_words const& said) {
    auto const text = base::to_lower(said.message + ' ' + said.parameter);
    bool const names_calls = is_about_calls(text);
    auto const* named = longest_named(tools, [&](tool_spec const& tool) {
        bool const is_usual = names_calls || !is_no_usual_word(tool.name);
        return is_named_in(text, base::to_lower(tool.name), is_usual);
    });
    if (named) return named;
    if (auto const place = place_of_tool(text))
        return *place < tools.size() ? &tools.at(*place) : nullptr;
    return longest_named(tools, [&](tool_spec const& tool) {
        return is_named_otherwise(text, base::to_lower(tool.name));
    });
}

bool refuses_a_schema(refusal_words const& said) {
    auto const text = base::to_lower(said.message + ' ' + said.parameter);
    if (is_about_calls(text) || is_about_answers(text)) return false;
    return has_any(text, {"schema"}) ||
           (has_any(text, {"tool", "function"}) &&
            has_any(text, {"parameters", "declaration", "definition", "properties"}));
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
