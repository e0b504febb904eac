#pragma once
// What has come or changed in a conversation of the chat API since a moment, and what its lane does
// now. A moment is a snapshot of the database's transactions, so nothing is lost or told twice,
// in whatever order they commit; it says the same on every connection of a cluster, and nothing in
// another one. What takes a transaction throws as transaction::query() does.
#include "storage/stores/conversations.hpp"

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

// "100:104:101,102", as Postgres writes it.
bool is_snapshot(std::string_view text);

struct changes_query {
    lane_id lane{};
    std::string since;        // a moment; "" = now: nothing has changed yet
    std::string until;        // a moment; "" = now
    message_place after = {}; // of these changes only those that stand behind it

    auto operator<=>(changes_query const&) const = default;
};

// The end of a turn stands behind its last message.
inline constexpr std::int64_t end_of_turn = INT64_MAX;

struct changed_message {
    said_message message;
    bool removed = false; // then it has its id and place alone
};

struct ended_turn {
    job_id job{};
    std::string state; // completed, failed, cancelled
    std::string error_class;
    std::optional<job_id> answered_by; // the turn that took its message in
    std::optional<std::string> reply;  // what the assistant said last in it
    std::string finished_at;
};

struct running_turn {
    job_id job{};
    std::string state; // available, running, waiting, retryable
    std::string flow;
    std::int64_t version = 0;
    std::string paused = {}; // all, or lane: why it does not start; "" = it is not held
    std::string lane_key = {};

    bool operator==(running_turn const&) const = default;
};

struct conversation_changes {
    bool exists = false;  // the conversation
    bool foreign = false; // the moment is to come: it is another database's. Nothing else is told
    std::string until;
    std::vector<changed_message> messages; // in order of their places
    std::vector<ended_turn> ends;          // likewise
    std::optional<running_turn> turn;      // the lane's first that is not over
};

// Among the newest 300 messages, and the newest 100 turns that these belong to. A message that is
// about to be sent counts once that has come to its end. By three statements at most, however many
// queries there are; what is found stands in their order.
std::vector<conversation_changes> read_changes(
    transaction& tx, std::span<changes_query const> queries
);

struct end_query {
    job_id job{};
    std::string moment;
};
// By one statement, in the order of the queries. Nothing: there is no such turn, or it went on at that
// moment.
std::vector<std::optional<ended_turn>> find_ended_turns(
    transaction& tx, std::span<end_query const> queries
);

} // namespace postrider::storage
