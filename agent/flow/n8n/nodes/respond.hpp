#pragma once
// What triggers share whose requests are answered when the flow has run.
#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

// Of a trigger: a node behind it answers. Where n8n answers with what the last node has, such a node is added behind
// each last one.
void put_answer_by_node(translation& in);

} // namespace postrider::agent::flow::n8n
