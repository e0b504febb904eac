#include "agent/models/tool_support.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::tool_support_test {
namespace {

TEST(tool_support, is_denied_in_many_words) {
    for (auto const* words :
         {"registry.ollama.ai/library/gemma3:latest does not support tools",
          "`tools` are not supported in this model",
          "Invalid parameter: 'tools' is not supported with this model.",
          "Unknown parameter: 'tools'.",
          "Unrecognized request argument supplied: tools",
          "Unrecognized request arguments supplied: tool_choice, tools",
          "Extra inputs are not permitted, field: 'tools', value: [1]",
          "got an unexpected keyword argument 'tools'",
          "This model does not support function-calling",
          "This model doesn’t support native function calling.",
          "The model `m` doesn't support the `tools` parameter.",
          "This model does not support tool_choice",
          "Function calling is not available for this model",
          "Function calling is not enabled for models/gemma-3-27b-it",
          "model deepseek-r1:7b is not capable of tool use",
          "The model is unable to use tools",
          "Tool use with function calling is unsupported by the model.",
          "No endpoints found that support tool use. To learn more, visit: https://example.com",
          "Sorry. Tool calling isn't currently supported.",
          "tools param requires --jinja flag",
          "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be "
          "set"})
        EXPECT_TRUE(refuses_any_tools({words})) << words;
}

TEST(tool_support, is_denied_by_the_parameter_that_is_refused) {
    EXPECT_TRUE(refuses_any_tools({"body.tools: Extra inputs are not permitted", "body.tools"}));
    EXPECT_TRUE(refuses_any_tools({"Bad request", "tools", "unsupported_parameter"}));
    EXPECT_FALSE(refuses_any_tools({"Unsupported value", "tools[3].type", "unsupported_value"}));
    EXPECT_FALSE(refuses_any_tools({"array too long", "tools", "array_above_max_length"}));
}

TEST(tool_support, is_not_denied_in_words_about_something_else) {
    for (auto const* words :
         {"",
          "Unknown parameter: 'tools[0].strict'.",
          "tools.3.custom.input_schema: keyword oneOf is not supported",
          "tools: unsupported keyword 'pattern' in a schema",
          "This model supports tools. Images are not supported.",
          "Use tools. Not supported: n",
          "parallel tool calls are not supported",
          "This model only supports single tool-calls at once!",
          "Unexpected tool calls in message 3",
          "messages with role 'tool' are not supported",
          "'tool_choice' is only allowed when 'tools' are specified.",
          "An assistant message with 'tool_calls' must be followed by tool messages",
          "too many tools: 128 are supported at most"})
        EXPECT_FALSE(refuses_any_tools({words})) << words;
}

} // namespace
} // namespace postrider::agent::tool_support_test
