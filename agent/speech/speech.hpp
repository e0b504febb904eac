#pragma once
// What the product says to people: one text in one place. Answers, questions, approvals, reminders,
// notices of failures and tools that send all speak by say():
//
//     speech said{.to = chat, .content = {.text = "Done."}};
//     said.row = row_at(2, steps.job().lane);
//     auto const delivered = co_await say(steps, {out, random}, std::move(said));
//
// The messenger of the place cuts the text into parts. An intent for each part and the message's row
// in the history of whoever hears it are one commit; then the parts go out in order, and the row gets
// what became of them. A part that may be there twice is flagged, and none is lost.
#include "agent/talk/degradation.hpp"
#include "agent/talk/messenger.hpp"
#include "base/random.hpp"
#include "queue/workflow.hpp"
#include "storage/stores/messages.hpp"

#include <functional>
#include <optional>
#include <string>

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

struct speech {
    // Of its effects: NAME, NAME#2, …, of class at_least_once. To a conversation of the chat API they
    // are keyed: none is there twice.
    std::string name = "send";
    address to = {};
    message_content content = {};
    telegram_message_id answers{}; // quoted by the first part; 0 = no quote
    // What comes in its place when its job ends while somebody may still press: recorded with its buttons.
    std::string withdrawn = {};
    base::retry_policy tries = sending;                               // of each part
    storage::message_origin origin = storage::message_origin::engine; // who says it
    // Where it stands in a history: lane and position. What else is empty, say() fills in.
    // None: in no history, or the messenger makes the row.
    std::optional<storage::message_row> row = {};
    // The lane is the one of this key, which is made when need be. "" = the row's own.
    std::string lane_key = {};
};

// A place for a speech that has a key of its lane, or in that lane.
storage::message_row row_at(std::int64_t position, lane_id lane = {});
// What a history has of it: without the escapes of html.
std::string history_text(message_content const& content);

struct speaking {
    messenger& out;
    base::random_source& random;
};

struct delivery {
    std::string state; // sent, failed or unknown, as in storage::message_row
    std::optional<telegram_message_id> first = {}; // id of the first part in the chat
    std::optional<telegram_message_id> last = {};  // of the one that has the buttons
    std::size_t sent = 0;                          // parts known to be there
    base::error error = {};                        // unless sent
};

// Of what was not sent, or may not have been.
queue::degradation degradation_of(delivery const& failed);

// Makes the commit of intents and row; by itself workflow::commit().
using committing = std::function<base::awaitable<void>(queue::commit_with)>;

// Plans it and delivers it. What became of the row is held for the next commit.
base::awaitable<delivery> say(
    queue::workflow steps, speaking speaker, speech said, committing commit = committing()
);

// The key of the effect that sends its last part, which has the buttons.
std::string last_key_of(messenger const& out, speech const& said);

// The two halves of say(), for a caller who has to do something between them.
// Commits intents and row, unless the record has them.
base::awaitable<void> plan(queue::workflow steps, speaking speaker, speech const& said);
// Waits for the messenger's resource: the rate of its sends, and a stopped bot. Sends the parts in
// order, each committed before the next; the last one's outcome is held for the job's. After a part
// that failed the others are recorded as not sent. What is still to be sent by a bot that this node
// lacks, or cannot use while another one can, is left to that one: throws queue::not_here.
base::awaitable<delivery> deliver(queue::workflow steps, speaking speaker, speech const& said);

// Throws queue::not_here when the configuration of this node lacks what speaks there, or its token is
// refused while another node's works: the job waits for a node that can.
void leave_to_a_node_serving(messenger const& out, address const& chat);

} // namespace postrider::agent
