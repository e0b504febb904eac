#pragma once
// "typing…" in the chat for as long as something is worked on.
#include "agent/talk/messenger.hpp"
#include "queue/workflow.hpp"

namespace postrider::agent {

// A quick model is done before anybody looks for a sign, and a call that is cut off takes its
// connection along. Telegram shows an action for five seconds.
struct typing_times {
    base::duration before_first = std::chrono::milliseconds{400};
    base::duration between = std::chrono::seconds{4};
};

// Starts the work, shows that it is going on while it takes longer, and returns what the work
// returns. What happens to the typing action never changes that. The work starts first; both are
// cancelled with the caller.
base::awaitable<queue::step_value> while_typing(
    messenger& out, address chat, base::awaitable<queue::step_value> work, typing_times times = {}
);

} // namespace postrider::agent
