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
    auto const* tool = find_refused_tool(tools, words);
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
          "too many tools: 3 at most",
          "tools[7].function.parameters",
          "Function call `default_api:odd_plain` is missing a thought_signature"})
        EXPECT_EQ(refused_in(words), "") << words;
}

} // namespace
} // namespace postrider::agent::refused_tools_test
