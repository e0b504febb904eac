#pragma once
// Memories as nodes.
#include "agent/flow/parts/memory.hpp"

#include <cstddef>

namespace postrider::agent::flow {

// Of the messages of a window, however long they are: about 100,000 tokens.
inline constexpr std::size_t most_memory_characters = 400'000;

// memory_window.json, memory_buffer.json, memory_summary.json and memory_conversation.json describe their parameters.
base::awaitable<base::result<memory_part>> make_window_memory(part_run& run);
base::awaitable<base::result<memory_part>> make_buffer_memory(part_run& run);
base::awaitable<base::result<memory_part>> make_summary_memory(part_run& run);
base::awaitable<base::result<memory_part>> make_conversation_memory(part_run& run);

} // namespace postrider::agent::flow
