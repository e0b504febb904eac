#pragma once
// Vectors of what a tool or a node is asked, for whichever searches by meaning.
#include "agent/flow/node_run.hpp"
#include "agent/tools/tool_context.hpp"

#include <string>

namespace postrider::agent::flow {

// Paid and audited within the work of that step; the run outlives them. Null: no embeddings are in use.
text_vectors vectors_for(node_run& run, std::string const& step);

} // namespace postrider::agent::flow
