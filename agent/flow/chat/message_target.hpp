#pragma once
// Where a node speaks that acts in chats, and how it does: what it says stands in the history of the chat
// that hears it.
#include "agent/flow/node_run.hpp"
#include "agent/speech/speech.hpp"

namespace postrider::agent::flow {

// Where the parameters bot, chat and thread point: the place that started the execution, unless they
// say otherwise. invalid: no place is named; not_found: there is no such bot. Throws
// queue::not_here when this node cannot find out.
base::awaitable<base::result<address>> target_of(
    node_run const& run, base::json_reader const& fields
);

// The execution is answered there.
bool is_own_chat(node_run const& run, address const& target);

// As of a speech: of the history of those who hear what is said there.
struct history_place {
    storage::message_row row;
    std::string lane_key;
};
history_place place_in_history(node_run& run, address const& target, std::int64_t position);

void put_into_history(node_run& run, speech& draft, std::int64_t position);

// Says it. What was not delivered counts the execution as degraded.
base::awaitable<delivery> say(
    node_run& run, queue::workflow steps, speech draft, committing commit = committing()
);

} // namespace postrider::agent::flow
