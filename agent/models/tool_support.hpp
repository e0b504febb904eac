#pragma once
// Private to agent/models: words that say that a model takes no tools. Servers have many sentences for it, so
// they are read by their parts: what takes tools, and that it is not there. Pure.
#include "agent/models/errors.hpp"

namespace postrider::agent {

// Whether the refusal is of all tools. What it says of one tool, of the form of a tool, or of calls in the
// history is something else.
bool refuses_any_tools(refusal_words const& said);

} // namespace postrider::agent
