#pragma once
// Memories as nodes.
#include "agent/flow/parts/memory.hpp"

#include <string_view>

namespace postrider::agent::flow {

// A parameter of those whose messages may stand in a session, as a member of their schemas' properties.
inline constexpr std::string_view session_parameter = R"(
    "session_id": {
        "title": "Session",
        "description": "The name of the conversation, such as {{ $json.user }}; empty = the lane's.",
        "type": "string",
        "maxLength": 200,
        "default": ""
    })";

// Their parameters are described in nodes/memory_window.cpp, memory_buffer.cpp and memory_conversation.cpp.
base::awaitable<base::result<memory_part>> make_window_memory(part_run& run);
base::awaitable<base::result<memory_part>> make_buffer_memory(part_run& run);
base::awaitable<base::result<memory_part>> make_conversation_memory(part_run& run);

} // namespace postrider::agent::flow
