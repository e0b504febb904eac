#include "agent/expression/arithmetic.hpp"
#include "agent/tools/calculation.hpp"
#include "agent/tools/tool.hpp"

namespace postrider::agent {

namespace json = boost::json;

namespace {

class calculator final : public tool {
public:
    tool_spec const& spec() const override { return spec_; }
    agent::risk risk() const override { return risk::low; }
    base::awaitable<base::result<std::string>> run(json::object arguments, tool_context context)
        override;

private:
    tool_spec spec_{
        "calculator",
        "Evaluates an arithmetic expression exactly as written and returns the number. Use it for "
        "every calculation. Knows + - * / % ^ parentheses, sqrt abs round floor ceil min max pow "
        "sum, "
        "pi and e.",
        {
            {"type", "object"},
            {"properties",
             json::object{
                 {"expression",
                  json::object{
                      {"type", "string"},
                      {"description", "For example: (12.5 + 3) * 2^10"},
                  }},
             }},
            {"required", json::array{"expression"}},
            {"additionalProperties", false},
        },
    };
};

base::awaitable<base::result<std::string>> calculator::run(
    json::object arguments, tool_context /*context*/
) {
    auto const& expression = arguments.at("expression").get_string();
    auto value = calculate({expression.data(), expression.size()});
    if (!value) co_return value.error();
    co_return expressions::format_number(*value);
}

} // namespace

std::unique_ptr<tool> make_calculator() {
    return std::make_unique<calculator>();
}

} // namespace postrider::agent
