#pragma once
// Which of an agent's tools bring text that others wrote, and how a model is sent it. Pure.
//
// Results are marked when a model is asked, not where they are recorded: fixed rules, the lists that
// people get and a later run have them as they came.
#include "agent/flow/parts/offered_tools.hpp"
#include "agent/loop/prompt.hpp"

#include <vector>

namespace postrider::agent::flow {

bool offers_untrusted(offered_tools const& tools);

// The tools of servers.
tool_names described_by_others(offered_tools const& tools);

// Marks what such tools returned, and what tools returned that the agent no longer has. What we say of a
// call ourselves stays: that it was refused, is in doubt, or does not fit. True: something was marked.
bool mark_results(std::vector<chat_message>& messages, offered_tools const& tools);

} // namespace postrider::agent::flow
