#include "agent/tools/tool.hpp"

namespace postrider::agent {

static base::awaitable<base::result<tool_output>> run_greet(
    tool_context& context, boost::json::object arguments
) {
    auto const& greeting = context.settings().at("greeting").as_string();
    co_return std::string(greeting) + ", " + std::string(arguments.at("name").as_string());
}

extern constinit tool const greet_tool{
    .name = "greet",
    .title = "Greeting",
    .documentation = "Greets people by name.",
    .description = "Returns the greeting for a person. Use it whenever somebody is introduced.",
    .arguments = R"({"type": "object", "required": ["name"],
        "properties": {"name": {"type": "string"}}})",
    .settings = R"({"greeting": {"title": "Greeting", "type": "string", "default": "Hello"}})",
    .run = run_greet,
};

} // namespace postrider::agent
