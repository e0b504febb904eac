#include "agent/tools/tool.hpp"

#include "base/names.hpp"

#include <algorithm>

namespace postrider::agent {

namespace {

constexpr base::names<risk, 3> risks{
    {{risk::low, "low"}, {risk::medium, "medium"}, {risk::high, "high"}}};

} // namespace

std::string_view to_string(risk r) noexcept {
    return base::name_of(risks, r);
}

std::optional<risk> risk_from_string(std::string_view name) noexcept {
    return base::named(risks, name);
}

tool const* find_tool(std::string_view name) noexcept {
    auto const all = tools();
    auto const place = std::ranges::find(all, name, &tool::name);
    return place == all.end() ? nullptr : *place;
}

tool_configuration usual_configuration(tool const& tool) {
    tool_configuration configuration;
    for (auto const& row : tool.configuration)
        configuration.values.put(
            std::string(row.key), {&row, std::string(row.fallback), "default"}
        );
    return configuration;
}

} // namespace postrider::agent
