#include "agent/expression/descriptions.hpp"

#include "agent/expression/functions.hpp"
#include "agent/expression/macros.hpp"

#include <fmt/format.h>

namespace postrider::agent::expressions {

namespace {

// "text", then a line "source → result" for each example.
void read_documentation(function_description& description, std::string_view documentation) {
    constexpr std::string_view arrow = " → ";
    auto end = documentation.find('\n');
    description.help = documentation.substr(0, end);
    while (end != documentation.npos) {
        documentation.remove_prefix(end + 1);
        end = documentation.find('\n');
        auto const line = documentation.substr(0, end);
        auto const split = line.find(arrow);
        if (split == line.npos) continue;
        description.examples.push_back(
            {std::string(line.substr(0, split)), std::string(line.substr(split + arrow.size()))}
        );
    }
}

void add_argument(std::string& arguments, std::string_view name) {
    if (!arguments.empty()) arguments += ", ";
    arguments += name;
}

// "a, b, c?" of the second argument on where the first stands before the dot.
std::string arguments_of(function const& function, std::size_t first) {
    std::string arguments;
    auto const has_any_number = function.most == any_number;
    auto const most = has_any_number ? function.least : function.most;
    for (auto at = first; at < most; ++at) {
        auto const letter = static_cast<char>('a' + at - first);
        add_argument(arguments, fmt::format("{}{}", letter, at < function.least ? "" : "?"));
    }
    if (has_any_number) add_argument(arguments, "…");
    return arguments;
}

std::string arguments_of(macro const& macro) {
    std::string arguments;
    for (std::size_t at = 0; at < macro.most_variables; ++at)
        add_argument(
            arguments, fmt::format("x{}{}", at + 1, at < macro.least_variables ? "" : "?")
        );
    for (std::size_t at = 0; at < macro.most_bodies; ++at)
        add_argument(arguments, fmt::format("expression{}", at < macro.least_bodies ? "" : "?"));
    return arguments;
}

function_description describe(function const& function, std::string_view family) {
    function_description description{
        .name = std::string(function.name), .family = std::string(family)};
    read_documentation(description, function.documentation);
    auto const call = fmt::format(".{}(", function.name);
    description.is_method = !description.examples.empty() && function.most > 0 &&
                            description.examples.front().source.find(call) != std::string::npos;
    description.signature = fmt::format(
        "{}{}({})",
        description.is_method ? "value." : "",
        function.name,
        arguments_of(function, description.is_method ? 1 : 0)
    );
    return description;
}

function_description describe(macro const& macro) {
    function_description description{
        .name = std::string(macro.name), .family = "Macros", .is_method = true};
    read_documentation(description, macro.documentation);
    description.signature = fmt::format("value.{}({})", macro.name, arguments_of(macro));
    return description;
}

// What the grammar itself reads (grammar_calls.cpp).
std::vector<function_description> describe_grammar() {
    return {
        {.name = "has",
         .family = "Macros",
         .signature = "has(value.field)",
         .help = "whether the field is there",
         .examples = {{R"(has({"a": 1}.a))", "true"}}},
        {.name = "cel.bind",
         .family = "Macros",
         .signature = "cel.bind(x1, value, expression)",
         .help = "the expression, with a name for a value",
         .examples = {{"cel.bind(n, 1 + 1, n * n)", "4"}}}};
}

} // namespace

std::vector<function_description> describe_functions() {
    auto descriptions = describe_grammar();
    for (auto const& macro : macros()) descriptions.push_back(describe(macro));
    for (auto const* family : function_families())
        for (auto const& function : family->functions)
            descriptions.push_back(describe(function, family->title));
    return descriptions;
}

} // namespace postrider::agent::expressions
