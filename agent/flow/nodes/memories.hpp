#pragma once
// Memories as nodes.
#include "agent/flow/node_run.hpp"

namespace postrider::agent::flow {

// Their parameters are described in nodes/memory_window.cpp, memory_buffer.cpp and memory_conversation.cpp.
base::awaitable<base::result<ai_part>> make_window_memory(part_run& run);
base::awaitable<base::result<ai_part>> make_buffer_memory(part_run& run);
base::awaitable<base::result<ai_part>> make_conversation_memory(part_run& run);

} // namespace postrider::agent::flow
