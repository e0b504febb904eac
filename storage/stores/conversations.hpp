#pragma once
// Conversations over the chat API: whose they are, and what is said in them. What takes a
// transaction throws as transaction::query() does.
#include "storage/stores/messages.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace postrider::storage {

struct api_conversation {
    std::string id; // a UUID
    lane_id lane{};
    user_id user{};
    std::string agent; // "" = the assistant
};

// "chat:UUID".
std::string lane_key_of(std::string_view conversation);

void add_conversation(transaction& tx, api_conversation const& conversation);
// Nothing: there is none, or it is somebody else's.
std::optional<api_conversation> find_conversation(
    transaction& tx, std::string const& id, user_id user
);

// The same for a batcher that reads: its unit gets one row, or none.
write find_conversation(std::string const& id, user_id user);
api_conversation read_conversation(row const& returned);

// A conversation as its user finds it in a list.
struct conversation_entry {
    api_conversation conversation;
    std::string created_at;           // ISO 8601, UTC
    std::optional<std::string> title; // the first words of its user; none: nothing was said
    std::optional<std::string> last_message_at; // likewise
};

// A user's own, newest first, below that lane's.
std::vector<conversation_entry> list_conversations(
    transaction& tx, user_id user, std::optional<lane_id> below, std::size_t limit
);

enum class deletion { deleted, running, not_found };

// With what was said in it; turns that wait, or have not begun, end as cancelled. running: a worker
// has a turn of it, nothing was done.
deletion delete_conversation(transaction& tx, std::string const& id, user_id user);

// A place between messages: that of the last one before it.
struct message_place {
    std::int64_t job = 0;
    std::int64_t position = 0;

    auto operator<=>(message_place const&) const = default;
};

enum class reading_order { oldest_first, newest_first };

struct said_message {
    message_place at;
    std::string id;
    std::string role;
    std::string content;
    std::string created_at; // ISO 8601, UTC
    std::string tool;       // of a tool's result: what was called, with these arguments
    boost::json::value arguments;
    boost::json::value shown;  // an object: what is shown beside the text; null = nothing
    std::string origin;        // person, agent, engine, node
    boost::json::value author; // an object: what is known of who wrote it; null = nothing
};

// From a place on: oldest first, or newest first, where no place is the end. Messages with nothing to show, by which an assistant only calls
// tools, and those that were removed are left out.
std::vector<said_message> list_messages(
    transaction& tx, lane_id lane, message_place from, std::size_t limit, reading_order order
);

// The number of the message with that id, if it is one of the newest 400 and has a button with that
// data now.
std::optional<telegram_message_id> find_pressed(
    transaction& tx, lane_id lane, std::string const& message, std::string const& data
);

} // namespace postrider::storage
