#pragma once
// What was said in a lane, as its operators see it: words of people, calls of tools and their results,
// answers with their delivery, and what was removed since. Newest first.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

// Where a message stands: pages end there.
struct lane_message_place {
    std::int64_t job = INT64_MAX;
    std::int64_t position = INT64_MAX;
};

// Instants are ISO 8601 in UTC; "" = none.
struct lane_message {
    lane_message_place at;
    std::string id;
    std::string role; // user, assistant, tool
    std::string origin;
    std::string content;
    std::string created_at;
    std::string sent_at;  // by Telegram's clock
    std::string delivery; // pending, sent, failed, unknown; "" = it was not sent
    boost::json::value author;
    boost::json::value calls;     // of an assistant: [{"id", "name", "arguments"}]; null = none
    std::string tool;             // whose result it is
    boost::json::value arguments; // of that call
    std::optional<std::int64_t> chat;
    std::optional<std::int64_t> thread;
    std::optional<std::int64_t> telegram_message;
    std::optional<std::int64_t> reply_to;
    bool removed = false;
    std::string removed_at;            // as far as the time is known
    boost::json::value reactions = {}; // {"USER": ["👍"]}; null = none
};

// Nothing: there is no such lane. They throw as transaction::query() does.
std::optional<lane_id> find_lane_of_key(transaction& tx, std::string_view key);
std::vector<lane_message> list_lane_messages(
    transaction& tx, lane_id lane, lane_message_place before, int limit
);

} // namespace postrider::storage
