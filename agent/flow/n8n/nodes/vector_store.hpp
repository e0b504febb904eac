#pragma once
// Stores of vectors, and what searches them.
#include "agent/flow/n8n/translation.hpp"

namespace postrider::agent::flow::n8n {

// A placeholder that says what does the same here.
void become_search_placeholder(translation& in);

} // namespace postrider::agent::flow::n8n
