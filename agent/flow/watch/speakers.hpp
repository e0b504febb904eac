#pragma once
// Whose words a person may read before they are said. Pure.
#include "agent/flow/validate/graph.hpp"

#include <set>
#include <string>

namespace postrider::agent::flow {

// The agents of a flow whose text goes out as it stands, to whom the flow answers: an action's
// `text` is their item's. Anything that comes in between may change it or hold it back, so the words
// of others are nobody's to see.
std::set<std::string> speakers_of(graph const& graph);

} // namespace postrider::agent::flow
