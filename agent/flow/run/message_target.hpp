#pragma once
// Where a node speaks that acts in chats.
#include "agent/flow/node_run.hpp"
#include "agent/talk/address.hpp"

namespace postrider::agent::flow {

// Where the parameters bot, chat and thread point: the place that started the execution, unless they
// say otherwise. invalid: no place is named; not_found: there is no such bot. Throws
// queue::not_here when this node cannot find out.
base::awaitable<base::result<address>> target_of(
    node_run const& run, base::json_reader const& from
);

// The execution is answered there.
bool is_own_chat(node_run const& run, address const& to);

} // namespace postrider::agent::flow
