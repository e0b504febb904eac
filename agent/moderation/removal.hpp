#pragma once
// Takes a message of ours away after a while: a notice in a group that nobody needs for long. A job of its own, in a lane
// beside the group's, so that nothing waits for it. A message that is gone already is fine.
#include "agent/talk/messenger.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"

#include <chrono>
#include <string_view>
#include <vector>

namespace postrider::agent {

inline constexpr std::string_view removal_kind = "message_removal";

// The rows of the commit that tells that the message was sent.
std::vector<storage::write> remove_later(
    address const& place, telegram_message_id message, std::chrono::milliseconds delay
);

// The messenger outlives the engine.
queue::job_kind make_removals(messenger& out);

} // namespace postrider::agent
