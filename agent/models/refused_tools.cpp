#include "agent/models/refused_tools.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace postrider::agent {

namespace {

bool is_in_names(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

// "tools[3].function.parameters", "tools.3.custom.input_schema", "function_declarations[3].parameters".
std::optional<std::size_t> place_after(std::string_view text, std::string_view list) {
    for (auto at = text.find(list); at != text.npos; at = text.find(list, at + 1)) {
        auto const rest = text.substr(at + list.size());
        if (rest.empty() || std::string_view("[./").find(rest.front()) == rest.npos) continue;
        std::size_t place = 0;
        auto const digits = rest.substr(1);
        auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), place);
        if (read.ec == std::errc{}) return place;
    }
    return std::nullopt;
}

bool is_named_in(std::string_view text, std::string_view name) {
    constexpr std::array<std::string_view, 5> before{
        "function ", "function: ", "tool ", "tool: ", "name: "};
    for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
        auto const end = at + name.size();
        if (at == 0 || (end < text.size() && is_in_names(text[end]))) continue;
        auto const left = text.substr(0, at);
        bool const is_quoted = std::string_view("'\"`").find(left.back()) != left.npos;
        bool const is_announced =
            std::ranges::any_of(before, [&](auto word) { return left.ends_with(word); });
        if (is_quoted || is_announced) return true;
    }
    return false;
}

} // namespace

tool_spec const* find_refused_tool(tool_list const& tools, std::string_view words) {
    tool_spec const* named = nullptr;
    for (auto const& tool : tools)
        if (is_named_in(words, tool.name) && (!named || tool.name.size() > named->name.size()))
            named = &tool;
    if (named) return named;
    // Gemini counts its declarations within the first of "tools".
    for (std::string_view const list : {"function_declarations", "functionDeclarations", "tools"})
        if (auto const place = place_after(words, list))
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
