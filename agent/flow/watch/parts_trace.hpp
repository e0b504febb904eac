#pragma once
// What the parts of agents did: models, memories and tools have no runs of their own, so it is read
// from the steps of the agents that they hang on. Pure.
#include "agent/flow/validate/graph.hpp"
#include "agent/flow/watch/retrace.hpp"

namespace postrider::agent::flow {

// Adds it to what was seen of the graph: a part that an agent came to is used, or running while its
// step is missing. A model's outputs are its replies; a tool's inputs are the arguments of its
// calls and its outputs what these came to. "calls" in the metadata says how many there were. What hangs on another
// node, or on a part, is used while that runs.
void add_parts(retraced& execution, graph const& flow, queue::job_details const& record);

} // namespace postrider::agent::flow
