#pragma once
// Memories as nodes.
#include "agent/flow/parts/memory.hpp"

namespace postrider::agent::flow {

// memory_window.json, memory_buffer.json and memory_conversation.json describe their parameters.
base::awaitable<base::result<memory_part>> make_window_memory(part_run& run);
base::awaitable<base::result<memory_part>> make_buffer_memory(part_run& run);
base::awaitable<base::result<memory_part>> make_conversation_memory(part_run& run);

} // namespace postrider::agent::flow
