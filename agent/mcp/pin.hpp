#pragma once
// Pinned definitions: what an owner agreed to, so that a server cannot change what a tool says and
// does behind it. Pure.
#include "agent/mcp/tool.hpp"

#include <map>
#include <string>
#include <vector>

namespace postrider::agent::mcp {

// SHA-256 in hexadecimal of all that a model or a decision on risk sees of a tool; the same however
// the members of its objects are ordered.
std::string digest(tool_definition const& tool);

using tool_pins = std::map<std::string, std::string, std::less<>>; // name → digest

tool_pins pins_of(std::vector<tool_definition> const& tools);

enum class pin_state { unchanged, fresh, changed, gone };

struct pin_comparison {
    std::string name;
    pin_state state;

    bool operator==(pin_comparison const&) const = default;
};

// Of each tool in the list's order, then of those that are pinned and gone.
std::vector<pin_comparison> compare(
    std::vector<tool_definition> const& tools, tool_pins const& pins
);

} // namespace postrider::agent::mcp
