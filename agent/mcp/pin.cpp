#include "agent/mcp/pin.hpp"

#include "base/json_text.hpp"
#include "net/digest.hpp"

#include <algorithm>

namespace postrider::agent::mcp {

namespace {

void append_ordered(std::string& text, json::value const& value);

void append_ordered(std::string& text, json::object const& object) {
    std::vector<json::key_value_pair const*> members;
    for (auto const& member : object) members.push_back(&member);
    std::ranges::sort(members, {}, [](auto const* member) { return member->key(); });
    text += '{';
    for (auto const* member : members) {
        base::append_json(text, std::string_view(member->key()), base::nul::escaped);
        text += ':';
        append_ordered(text, member->value());
        text += ',';
    }
    text += '}';
}

// Not JSON, with its commas at the ends; nobody reads it.
void append_ordered(std::string& text, json::value const& value) {
    if (auto const* object = value.if_object()) return append_ordered(text, *object);
    auto const* array = value.if_array();
    if (!array) return base::append_json(text, value, base::nul::escaped);
    text += '[';
    for (auto const& item : *array) {
        append_ordered(text, item);
        text += ',';
    }
    text += ']';
}

} // namespace

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
    std::string text;
    append_ordered(text, document);
    return net::sha256_hex(text);
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
        auto const known = pins.find(tool.name);
        auto state = pin_state::fresh;
        if (known != pins.end())
            state = known->second == digest(tool) ? pin_state::unchanged : pin_state::changed;
        compared.push_back({tool.name, state});
        left.erase(tool.name);
    }
    for (auto const& [name, value] : left) compared.push_back({name, pin_state::gone});
    return compared;
}

} // namespace postrider::agent::mcp
