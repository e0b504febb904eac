#include "agent/tools/tool.hpp"

#include <array>

namespace postrider::agent {

namespace {

using base::setting;
using enum base::setting_type;

constexpr std::array configuration{
    setting{.key = "url", .type = url, .fallback = "https://rain.example", .help = "who knows"},
    setting{.key = "api_key", .type = secret, .help = "for it; or `api_key_file`"},
    setting{
        .key = "days", .type = integer, .fallback = "3", .constraint = "1..14", .help = "at most"},
};

bool is_set_up(tool_configuration const& said) {
    return !said.values.secret("api_key").empty();
}

std::vector<std::string> problems_of(tool_configuration const& said) {
    if (said.values.text("url").starts_with("https:")) return {};
    return {"url: the key would be sent in the clear"};
}

base::awaitable<base::result<tool_output>> run_forecast(
    tool_context& context, boost::json::object
) {
    auto const& said = context.configuration().values;
    co_return said.text("url") + " tells of " + std::to_string(said.integer("days")) + " days to " +
        said.secret("api_key").reveal();
}

} // namespace

extern constinit tool const forecast_tool{
    .name = "forecast",
    .title = "Forecast",
    .documentation = "Tells whether it will rain.",
    .description = "Returns the forecast. Use it before anybody goes out.",
    .configuration = configuration,
    .problems = problems_of,
    .returns_untrusted = true,
    .is_set_up = is_set_up,
    .run = run_forecast,
};

} // namespace postrider::agent
