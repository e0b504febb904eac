#include "agent/tools/tool.hpp"

#include <algorithm>

namespace postrider::agent {

std::string_view to_string(risk r) noexcept {
    switch (r) {
    case risk::low:
        return "low";
    case risk::medium:
        return "medium";
    case risk::high:
        return "high";
    }
    return "unknown";
}

tool const* find_tool(std::string_view name) noexcept {
    auto const all = tools();
    auto const found = std::ranges::find(all, name, &tool::name);
    return found == all.end() ? nullptr : *found;
}

} // namespace postrider::agent
