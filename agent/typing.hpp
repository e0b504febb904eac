#pragma once
// "typing…" in the chat for as long as something is worked on.
#include "agent/messenger.hpp"
#include "queue/workflow.hpp"

namespace postrider::agent {

// Starts the work, shows that it is going on at once and every four seconds, and returns what the
// work returns. What happens to the typing action never changes that. The work starts first; both
// are cancelled with the caller.
base::awaitable<queue::step_value> while_typing(
    messenger& out, address to, base::awaitable<queue::step_value> work
);

} // namespace postrider::agent
