#pragma once
// What an operator says of a tool, as the loader of settings would have it.
#include "agent/tools/tool.hpp"

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>

namespace postrider::tests {

inline agent::tool_configuration configured(
    std::string_view tool,
    std::initializer_list<std::pair<std::string_view, std::string>> values = {}
) {
    auto const rows = agent::find_tool(tool)->configuration;
    auto configuration = usual_configuration(*agent::find_tool(tool));
    for (auto const& [key, value] : values) {
        auto const row = std::ranges::find(rows, key, &base::setting::key);
        if (row == rows.end()) throw std::logic_error("no such setting: " + std::string(key));
        configuration.values.put(std::string(key), {&*row, value, "a test"});
    }
    return configuration;
}

} // namespace postrider::tests
