#include "agent/expression/arithmetic.hpp"
#include "agent/expression/calculation.hpp"
#include "agent/tools/tool.hpp"

namespace postrider::agent {

namespace {

base::awaitable<base::result<tool_output>> run_calculator(
    tool_context& /*context*/, boost::json::object arguments
) {
    auto const number = calculate(std::string(arguments.at("expression").as_string()));
    if (!number) co_return number.error();
    co_return expressions::format_number(*number);
}

} // namespace

extern constinit tool const calculator_tool{
    .name = "calculator",
    .title = "Calculator",
    .documentation =
        "Lets an agent calculate exactly: + - * / % ^, parentheses and the usual functions.",
    .description = R"(
        Evaluates an arithmetic expression exactly as written and returns the number. Use it for
        every calculation. Knows + - * / % ^ parentheses, sqrt abs round floor ceil min max pow
        sum, pi and e.)"_folded,
    .arguments = R"({
        "type": "object",
        "properties": {
            "expression": {"type": "string", "description": "For example: (12.5 + 3) * 2^10"}
        },
        "required": ["expression"],
        "additionalProperties": false
    })",
    .is_instant = true,
    .run = run_calculator,
};

} // namespace postrider::agent
