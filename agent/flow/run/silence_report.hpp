#pragma once
// What owners hear of an agent that speaks by tools and whose budget is empty: the chat is told nothing. Once a
// day for each budget, as rows for the next commit. Private to the agent node.
#include "agent/flow/node_run.hpp"

namespace postrider::agent::flow {

void report_silence(node_run& run, base::error const& empty_budget);

} // namespace postrider::agent::flow
