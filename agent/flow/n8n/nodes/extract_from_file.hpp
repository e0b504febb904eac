#pragma once
// Which files become texts: those that a request has as its answer.
#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

// Of an Extract from File node.
bool is_text_file(workflow_node const& node);

} // namespace postrider::agent::flow::n8n
