#pragma once
// What an agent remembers of a session: the seam that every kind of memory fills.
#include "agent/models/model.hpp"
#include "queue/workflow.hpp"

#include <string>
#include <vector>

namespace postrider::agent::flow {

// Whose conversation, and where an execution stands in it.
struct session {
    std::string id; // "" = the lane's conversation
    queue::job const& job;
};

class memory {
public:
    virtual ~memory() = default;

    // The messages before this execution, oldest first, ready for a model (no call without its
    // result). Not recorded: a lane is serial, so a later run reads the same.
    virtual base::awaitable<base::result<std::vector<chat_message>>> recall(session of) = 0;

    // Rows that make the message part of the session; committed with the agent's next commit.
    virtual std::vector<storage::write> keep(
        session of, chat_message const& message, int position
    ) = 0;
};

} // namespace postrider::agent::flow
