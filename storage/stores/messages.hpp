#pragma once
// The history: append-only messages of lanes, in order of (turn, position).
//
// Rows are written inside other rooms' commits (as storage::write) and read in batches.
#include "base/ids.hpp"
#include "base/json/row.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/memory_outlook.hpp"
#include "storage/stores/message_author.hpp"
#include "storage/stores/persons.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace postrider::storage {

struct message_row {
    lane_id lane{};
    job_id job{};
    conversation_id conversation{};
    std::int64_t position = 0; // within the turn; 0 = the user's message
    std::string id;            // nanoid
    std::string role;          // system, user, assistant, tool
    std::string content;
    boost::json::value detail; // null, or tool calls and the like
    bool for_people = false;   // alone: part of no conversation, so no model reads it
    std::optional<telegram_message_id> telegram_message;
    std::string delivery;                 // "", pending, sent, failed, unknown
    std::optional<message_origin> origin; // none = by its role; read back it is always there
    std::optional<user_id> sender;        // of a person's message
    std::optional<chat_id> sender_chat;   // in whose name the sender wrote
    std::string sender_name;              // as shown
    person_settings sender_settings = {}; // read back alone: of the turn's own messages
    message_author author = {};
    std::optional<chat_id> chat; // Telegram's; not read back by read_history()
    thread_id thread{};          // forum topic, 0 = none
    std::optional<telegram_message_id> reply_to;
    std::optional<std::chrono::sys_seconds> sent_at; // by Telegram's clock
};

// The members of a statement's row that say what was said, by whom and how it came: all but the place
// (lane, job, conversation, position), detail and delivery.
void add_said(base::json_row& to, message_row const& row);

// Adds the message.
write add_message(message_row const& row);

// Adds what a job of another lane says there, or what it answers (position 0), to the lane's open
// conversation; an answer goes where its question is. The row's conversation is not looked at. With a key the lane is the one of that key, and the row's is not looked at, either.
// Nothing is added where the lane is gone. Order 52; returns no row.
write add_message_from_beside(message_row const& row, std::string_view lane_key = {});

// Adds a message that no turn answers to the lane's open conversation, where the next turn's history
// has it; the row's job, conversation and position are not looked at. Its unit gets one row (i), none
// when the lane is gone. A turn that is committed at the same moment may or may not see it.
write add_unanswered_message(message_row const& row);

// Stores what became of a message that we sent.
write set_delivery(
    lane_id lane,
    job_id job,
    std::int64_t position,
    std::string_view delivery,
    std::optional<telegram_message_id> telegram_message,
    std::string_view lane_key = {} // in place of the lane
);

// Deletes the messages of the lane's conversation that stand before that job.
write clear_conversation(lane_id lane, conversation_id conversation, job_id before);

// For a job that is over: what it was to send and did not tell of is no longer pending, but what
// its effects say.
write close_deliveries(lane_id lane, job_id job);
// For a job that is cancelled: what it did not come to send was never said. Its row says nothing.
write drop_unsent(job_id job);

struct turn_place {
    lane_id lane{};
    job_id job{};
};

struct turn_history {
    std::vector<message_row> messages; // oldest first
    std::optional<memory_outlook> memories = {};
};

// The newest `limit` messages of user and assistant of the turns before `job` in the conversation, with the
// calls and results between them (20 times as many at most), and all of the turn itself, as far as a model is told of them (role, content and detail). With a
// `stands_at`, what a fork apart from its conversation has, the earlier ones are those of that lane
// before that turn. Reads no job state: a lane is serial. Counts on a conversation's number being
// smaller than its jobs' (both are drawn from postrider.number). What `look` asks for comes along where the turn
// answers a message.
base::awaitable<base::result<turn_history>> read_history(
    batcher& reads,
    lane_id lane,
    conversation_id conversation,
    job_id job,
    int limit,
    base::duration deadline,
    std::optional<turn_place> stands_at = {},
    std::optional<memory_look> look = {}
);

// The newest `limit` messages of people in the lane up to this job's own, whatever their conversation; oldest
// first. As read_history() reads them, each with what its sender has set.
base::awaitable<base::result<std::vector<message_row>>> read_heard(
    batcher& reads, lane_id lane, job_id job, int limit, base::duration deadline
);

} // namespace postrider::storage
