#pragma once
// Memories as nodes.
#include "agent/flow/node_run.hpp"

namespace postrider::agent::flow {

// nodes/memory_window.cpp and nodes/memory_buffer.cpp describe their parameters.
base::awaitable<base::result<ai_part>> make_window_memory(part_run& run);
base::awaitable<base::result<ai_part>> make_buffer_memory(part_run& run);

} // namespace postrider::agent::flow
