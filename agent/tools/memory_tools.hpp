#pragma once
// What the tools of long-term memory share: whose memories a call may touch. No model chooses it.
#include "agent/recall/store.hpp"
#include "agent/tools/tool.hpp"

namespace postrider::agent {

inline constexpr base::duration memory_deadline = std::chrono::seconds{10};

// The person's in this bot, or the group's. refused: the run has neither.
base::result<recall::memory_owner> memory_owner_of(tool_context const& context);
// The same where something is to be changed: a fork that answers nobody changes nothing.
base::result<recall::memory_owner> changing_memory_owner_of(tool_context const& context);

} // namespace postrider::agent
