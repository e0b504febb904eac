#pragma once
// What the filter decided, in Postgres. Blocking, inside the caller's transaction; throws as transaction::query() does.
#include "agent/spam/message.hpp"
#include "agent/spam/verdict.hpp"
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>
#include <vector>

namespace postrider::agent::spam {

// One wording of one message.
struct judged_message {
    chat_id chat{};
    std::int64_t message = 0; // Telegram's id of it
    spam::message content;
};

struct stored_verdict {
    chat_id chat{};
    std::int64_t message = 0;
    std::int64_t wording = 0; // wording_of() the text
    user_id user{};
    std::string name; // of the author, as the archive has it; "" = not known
    bool is_spam = false;
    double points = 0;
    int threshold = 0;
    boost::json::value checks; // as verdict_json() has them
    std::string text;          // that was judged
    std::string judged_at;     // ISO 8601 in UTC
};

// A later verdict on the same wording replaces the earlier one. `counts`: the message counts towards its author's approval.
// Order 58; returns no row.
storage::write verdict_row(judged_message const& judged, verdict const& verdict, bool counts);
void record_verdict(storage::transaction& tx, judged_message const& judged, verdict const& verdict);

// As it was given; of a damaged row the parts that can be read.
verdict verdict_of(stored_verdict const& stored);

// The verdicts on a message, the newest wording first.
std::vector<stored_verdict> verdicts_of(
    storage::transaction& tx, chat_id chat, std::int64_t message
);

// Where a page ended.
struct verdict_place {
    std::string judged_at;
    chat_id chat{};
    std::int64_t message = 0;
    std::int64_t wording = 0;
};
verdict_place place_of(stored_verdict const& verdict);

struct verdict_filter {
    std::optional<chat_id> chat = {}; // and what it was before it became a supergroup
    std::optional<user_id> user = {};
    std::optional<bool> is_spam = {}; // to the filter, or to a person
    std::optional<base::sys_time> since = {};
    std::optional<verdict_place> before = {};
    int limit = 50;
};

// What was done about a message: its catch, if there is one.
struct caught_state {
    std::string action;                   // "dry_run", "delete", "restrict", "ban"
    std::string caught_by;                // "filter", or on whose word: "user:ID"
    std::optional<std::string> undone_at; // ISO 8601 in UTC
    std::optional<std::string> undone_by;
    std::optional<std::string> refused = {}; // why Telegram did not do all of it
};
struct listed_verdict {
    stored_verdict judged;
    std::optional<caught_state> caught = {};
};
// The newest first.
std::vector<listed_verdict> list_verdicts(storage::transaction& tx, verdict_filter const& filter);

// The newest first, of a group or of all.
std::vector<stored_verdict> newest_verdicts(
    storage::transaction& tx, std::optional<chat_id> chat, int limit
);

} // namespace postrider::agent::spam
