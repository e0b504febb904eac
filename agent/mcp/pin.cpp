#include "agent/mcp/pin.hpp"

#include "base/json/ordered.hpp"
#include "net/digest.hpp"

namespace postrider::agent::mcp {

std::string digest(tool_definition const& tool) {
    json::object const document{
        {"name", tool.name},
        {"title", tool.title},
        {"description", tool.description},
        {"input", tool.input_schema},
        {"output", tool.output_schema ? json::value(*tool.output_schema) : json::value()},
        {"hints",
         {tool.annotations.read_only,
          tool.annotations.destructive,
          tool.annotations.idempotent,
          tool.annotations.open_world}}};
    return net::sha256_hex(base::ordered_json(document));
}

tool_pins pins_of(std::vector<tool_definition> const& tools) {
    tool_pins pins;
    for (auto const& tool : tools) pins[tool.name] = digest(tool);
    return pins;
}

std::vector<pin_comparison> compare(
    std::vector<tool_definition> const& tools, tool_pins const& pins
) {
    std::vector<pin_comparison> compared;
    auto left = pins;
    for (auto const& tool : tools) {
        auto const entry = pins.find(tool.name);
        auto state = pin_state::fresh;
        if (entry != pins.end())
            state = entry->second == digest(tool) ? pin_state::unchanged : pin_state::changed;
        compared.push_back({tool.name, state});
        left.erase(tool.name);
    }
    for (auto const& [name, value] : left) compared.push_back({name, pin_state::gone});
    return compared;
}

} // namespace postrider::agent::mcp
