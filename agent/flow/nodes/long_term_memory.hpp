#pragma once
// What an agent remembers of the person or the group from earlier conversations (agent/recall), around the
// memory of the conversation itself.
//
// Guarantees that a turn waits for it no longer than its limit, that every run of an execution recalls the
// same, and that nobody recalls what belongs to somebody else. Without it the turn goes on, and tells of it. A turn
// of somebody without memories, whose window holds all that was said, asks the database and the model for nothing.
#include "agent/flow/parts/memory.hpp"

namespace postrider::agent::flow {

// The parameters, which memory_long_term.json describes.
struct recall_limits {
    int most = 0;
    double least_score = 0;    // 0 to 1
    base::duration patience{}; // of an answer
    // Of messages that no job has read: so many, or so many tokens, begin one.
    int after_messages = 0;
    std::int64_t after_tokens = 0;
};

base::awaitable<base::result<memory_part>> make_long_term_memory(part_run& run);

} // namespace postrider::agent::flow
