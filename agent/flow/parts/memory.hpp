#pragma once
// What an agent remembers of a session: the seam that every kind of memory fills. Made for one
// session and one execution.
#include "agent/flow/node_run.hpp"
#include "agent/models/model.hpp"
#include "storage/batcher.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// The step of a memory that asks somebody outside.
inline constexpr std::string_view recall_step = "recall";

class memory {
public:
    virtual ~memory() = default;

    // The messages before this execution that help with the question, oldest first, ready for a
    // model (no call without its result). Every run must read the same. Of its lane's messages
    // it does so unrecorded, since what an execution adds is no part of them; a session that others share
    // records which messages it has seen. A memory that asks somebody outside does it in recall_step, of
    // the agent's node whose steps these are.
    virtual base::awaitable<base::result<std::vector<chat_message>>> recall(
        std::string_view question, queue::workflow& steps
    ) = 0;

    // Rows that make the message part of the session, once, however often they are committed. The
    // position orders this execution's own.
    virtual std::vector<storage::write> keep(
        chat_message const& message, std::int64_t position
    ) = 0;

    // Rows that delete the session's messages; of the lane's conversation those before this
    // execution. What is recalled once they are committed is without them.
    virtual std::vector<storage::write> clear() = 0;

    // True: the session is the lane's conversation, where the person's messages stand already.
    virtual bool is_conversation() const noexcept = 0;

    // After recall(): more was said than it may recall, and no answer has offered the person a new
    // conversation yet.
    virtual bool offers_new_conversation() const { return false; }
};

struct memory_part {
    std::shared_ptr<flow::memory> memory;
};
inline constexpr part_kind_of<memory_part> ai_memory{{"ai_memory", "memory", 2}};

// That hangs on the node; null = none does.
base::awaitable<base::result<std::shared_ptr<memory>>> connected_memory(
    node_run& run, std::size_t item
);

} // namespace postrider::agent::flow
