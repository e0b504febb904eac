#pragma once
// The reply on its way out: the intents that are committed with it, and the sending afterwards.
#include "agent/talk/degradation.hpp"
#include "agent/talk/messenger.hpp"
#include "queue/workflow.hpp"

namespace postrider::agent {

// How often a part is tried that may not have arrived.
inline constexpr base::retry_policy sending{
    .limit = 5,
    .delay = std::chrono::seconds{1},
    .backoff = base::backoff_shape::exponential,
    // The messenger has deadlines of its own, shorter than this one's: only it knows whether a
    // message that timed out may have been sent.
    .timeout = std::chrono::minutes{2} + std::chrono::seconds{30},
    .total = std::nullopt};

// Of a try of an edit, a reaction or a deletion: likewise longer than the messenger's own deadlines.
inline constexpr std::chrono::milliseconds acting_timeout = std::chrono::seconds{45};

struct reply {
    std::string name = "send"; // of its effects
    address to = {};
    telegram_message_id answers{};             // quoted by the first part; 0 = no quote
    std::vector<message_content> parts = {};   // as messenger::split() cuts them
    base::retry_policy tries = sending;        // of each part
    std::optional<std::int64_t> position = {}; // of its row in the history of the job's lane
    storage::message_origin origin = storage::message_origin::engine;
};

// Throws queue::not_here when the configuration of this node lacks what speaks there, or its token is
// refused while another node's works: the job waits for a node that can.
void leave_to_a_node_serving(messenger const& out, address const& to);

// Their intents stand in the record.
bool is_planned(queue::workflow const& steps, reply const& reply);

// NAME, NAME#2, …: effects of class at_least_once, in order. A repeated part after a crash is
// flagged, a lost one is not. To a conversation they are keyed: none is there twice.
std::vector<queue::effect_intent> intents_of(reply const& reply);

struct delivery {
    std::string state; // sent, failed or unknown, as in storage::message_row
    std::optional<telegram_message_id> first = {}; // id of the first part in the chat
    std::optional<telegram_message_id> last = {};  // of the one that has the buttons
    std::size_t sent = 0;                          // parts known to be there
    base::error error = {};                        // unless sent
};

// Of what was not sent, or may not have been.
queue::degradation degradation_of(delivery const& failed);

// Waits for the messenger's resource: the rate of its sends, and a stopped bot. Sends the parts in
// order, each committed before the next; the last one's outcome is held for the job's. After a part
// that failed the others are recorded as not sent. What is still to be sent by a bot that this node
// lacks, or cannot use while another one can, is left to that one.
base::awaitable<delivery> deliver(queue::workflow flow, messenger& out, reply const& reply);

} // namespace postrider::agent
