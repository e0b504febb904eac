#pragma once
// Messages that are sent to conversations of the chat API, and what is done to them there. Each is a
// row for a batcher, and may be written again after any failure: twice equals once.
#include "base/ids.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/message_author.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

struct conversation_message {
    std::string conversation; // a UUID
    job_id job{};             // that says it
    // Of its row in the history. None: it gets a row that people read and no model does.
    std::optional<std::int64_t> position = {};
    std::string key = {}; // tells it apart from what else the job says
    std::string id = {};  // nanoid of a new row
    std::string content = {};
    message_origin origin = message_origin::engine; // of a new row
    boost::json::object shown = {};                 // beside its text, as agent::to_json() has it
};

// Its unit gets one row (i, number).
write send_to_conversation(conversation_message const& message);
// Nothing: there is no such conversation, or no such row.
std::optional<telegram_message_id> read_sent(row const& returned);

struct message_change {
    std::string conversation;
    telegram_message_id message{};
    bool is_edit = false; // of what we sent; else of whatever stands there
    std::optional<std::string> content = {};
    boost::json::object shown = {}; // what changes of it; null = it goes
};

// Its unit gets one row (i, found).
write change_in_conversation(message_change const& change);

} // namespace postrider::storage
