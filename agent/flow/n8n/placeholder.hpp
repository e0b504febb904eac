#pragma once
// What stands for a node that has no counterpart here: disabled, so that items pass it, with ports for its
// connections, and with all that n8n had in its notes.
#include "agent/flow/n8n/translation.hpp"

namespace postrider::agent::flow::n8n {

draft_node placeholder_of(workflow const& flow, std::size_t node, std::string_view reason);

} // namespace postrider::agent::flow::n8n
