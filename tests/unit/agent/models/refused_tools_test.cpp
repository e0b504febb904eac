#include "agent/models/refused_tools.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::refused_tools_test {
namespace {

std::string refused_in(std::string_view words) {
    static tool_list const tools{
        {"calculator", "", {}},
        {"odd_plain", "", {}},
        {"getWeather", "", {}},
        {"search", "", {}},
        {"time", "", {}}};
    auto const* tool = find_refused_tool(tools, {std::string(words)});
    return tool ? tool->name : "";
}

TEST(refused_tools, are_found_by_name_or_place_in_any_vendors_words) {
    struct sample {
        std::string_view words;
        std::string_view tool;
    };
    for (auto const& [words, tool] :
         {sample{"Tool odd_plain has an invalid schema", "odd_plain"},
          sample{"Function odd_plain: parameters are not valid", "odd_plain"},
          sample{"invalid schema in tool definition (odd_plain)", "odd_plain"},
          sample{"ODD_PLAIN is not valid", "odd_plain"},
          sample{"getweather.parameters: unknown type", "getWeather"},
          sample{"Invalid schema for function 'calculator': no type", "calculator"},
          sample{"Invalid schema for calculator", "calculator"},
          sample{"cannot make the schema of tool calls to odd_plain", "odd_plain"},
          sample{"Tool: Search has no properties", "search"},
          sample{"the schema of [time] is invalid", "time"},
          sample{"tools[0].function.parameters", "calculator"},
          sample{"body.tools.3: field required", "search"},
          sample{"Error in tool definition #1: bad schema", "calculator"},
          sample{"Function #5 is not valid", "time"},
          sample{"invalid tool schema (tool index 3)", "search"},
          sample{"The tool odd-plain is not valid", "odd_plain"},
          sample{"bad schema in \"odd.plain\"", "odd_plain"},
          sample{"1 validation error\nbody -> tools -> 3 -> function\n  field required", "search"},
          sample{"[{'loc': ('body', 'tools', 4, 'function')}]", "time"}})
        EXPECT_EQ(refused_in(words), tool) << words;
}

TEST(refused_tools, are_not_seen_in_words_about_something_else) {
    for (auto const* words :
         {"",
          "It took a long time to search",
          "The (time to answer) is over",
          "odd_plainer is not valid",
          "an_odd_plain is not valid",
          "Odd-plain words are not valid",
          "Error in tool definition #0",
          "invalid tool schema (tool index 7)",
          "too many tools: 3 at most",
          "tools[7].function.parameters",
          "Function call `default_api:odd_plain` is missing a thought_signature"})
        EXPECT_EQ(refused_in(words), "") << words;
}

TEST(refused_tools, are_meant_where_a_schema_is_refused_in_general) {
    for (auto const* words :
         {"JSON Schema not supported: could not understand the instance",
          "Invalid schema: unknown keyword",
          "one or more function parameters lack a type",
          "a function declaration is not valid",
          "tool definition is too deep"})
        EXPECT_TRUE(refuses_a_schema({words})) << words;
    for (auto const* words :
         {"",
          "max_tokens is too large",
          "too many tools: 128 at most",
          "Function call is missing a thought_signature",
          "Invalid schema for response_format 'answer'",
          "messages.3: tool_use ids were found without tool_result blocks"})
        EXPECT_FALSE(refuses_a_schema({words})) << words;
    EXPECT_TRUE(refuses_a_schema({"Bad request", "tools[9].function.parameters"}));
    EXPECT_FALSE(refuses_a_schema({"Invalid schema", "text.format.schema"}));
}

} // namespace
} // namespace postrider::agent::refused_tools_test
