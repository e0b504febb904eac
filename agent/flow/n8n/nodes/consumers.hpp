#pragma once
// What the nodes behind one take its items for: those that follow it, also behind nodes that pass items on. Looks at
// a bounded part of the workflow.
#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

// One reads `data` as a text: HTML, or by a method of texts.
bool consumers_take_text(translation const& in);
// One takes the item's file.
bool consumers_take_file(translation const& in);

} // namespace postrider::agent::flow::n8n
