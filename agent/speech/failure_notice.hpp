#pragma once
// The word to a person whose message was not answered because its turn failed: by a node, say a
// model that gave no answer, or by the engine, since its time was up, its process died with it again
// and again, or its record did not fit.
//
// Nobody is told whose answer went out before: what failed came behind it.
//
// A job of its own, in a lane beside the chat's, so that it never takes the place of a message.
#include "agent/talk/messenger.hpp"
#include "base/random.hpp"
#include "queue/workflow.hpp"

#include <string>
#include <vector>

namespace postrider::agent {

inline constexpr std::string_view failure_notice_kind = "failure_notice";

// The lane for what follows a failure in another one.
std::string lane_of_failures(lane_id failed);

// The rows that make the job; nothing is sent before they are committed. `text`: what the person is
// told.
std::vector<storage::write> tell_of_failure(
    queue::job const& failed, address chat, telegram_message_id answers, std::string const& text
);

// The rows of a job that says this in answer to a message to which no turn belongs. `lane_key`: its
// own, which is made when need be. `said_in`: the key of the lane whose history has it.
std::vector<storage::write> tell_instead_of_turn(
    std::string lane_key,
    std::string_view said_in,
    address chat,
    telegram_message_id answers,
    std::string const& text
);

// The rows of a job that says this where another one ends without what it was to say, as its failure function has
// them. `said_in`: the lane whose history has it; `user`: of whose words it is.
std::vector<storage::write> tell_of_end(
    queue::job const& ended, lane_id said_in, address chat, user_id user, std::string const& text
);

// All of them outlive the engine. What they say stands in the history of the lane that failed, of a lane that
// is named, or of the lane of a key, which is made when need be.
queue::job_kind make_failure_notices(
    messenger& out, storage::batcher& reads, base::random_source& random
);

} // namespace postrider::agent
