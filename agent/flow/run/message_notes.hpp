#pragma once
// What a model is told of a person's message beside its words: what came with it that it cannot see,
// and which earlier message it replies to; the same of those that the mailbox joined to it. Pure.
#include "agent/flow/chat/history.hpp"
#include "agent/flow/execution_input.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::flow {

// For chat_request::trailing_context; "" = there is nothing to tell. What people wrote is quoted.
std::string notes_on(heard_message const& heard);

// What people thought of earlier answers; "" = nobody said. `asker`: whose message is answered.
std::string note_on_reactions(std::vector<answer_reaction> const& reactions, user_id asker);

// The same of what a memory has recalled, in lines: it is marked, since people wrote it.
std::string note_on_memories(std::string_view lines);

} // namespace postrider::agent::flow
