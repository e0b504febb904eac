#pragma once
// Further pages of an HTTP request.
#include "agent/flow/n8n/translation.hpp"

namespace postrider::agent::flow::n8n {

// Writes `pages` and what belongs to it, where the node has n8n's options for it and one of the three ways does the same;
// else a problem that says so.
void put_pages(translation& in);

} // namespace postrider::agent::flow::n8n
