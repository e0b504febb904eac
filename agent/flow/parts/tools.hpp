#pragma once
// The tools that hang on an agent.
#include "agent/flow/node_run.hpp"
#include "agent/flow/parts/offered_tools.hpp"

#include <memory>
#include <vector>

namespace postrider::agent::flow {

struct tool_part {
    std::vector<offered_tool> tools;
    bool lasting = true; // the same for every execution; not so what somebody outside told
    bool whole = true;   // none of them is missing
};
inline constexpr part_kind_of<tool_part> ai_tool{{"ai_tool", "tool", 3}};

// Of all parts, configured as the operator says. An error: that of the first part that cannot be made.
base::awaitable<base::result<std::shared_ptr<offered_tools const>>> connected_tools(
    node_run& run, std::size_t item
);

} // namespace postrider::agent::flow
