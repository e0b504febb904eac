#pragma once
// Messages of named sessions: what agents remember beside a lane's conversation. In order of (job,
// position); rows are written inside other rooms' commits and read in batches.
#include "storage/stores/messages.hpp"

#include <string_view>

namespace postrider::storage {

// Adds the message (its job, position, role, content, detail), once.
write add_to_session(std::string_view session, message_row const& row);
// Adds a summary of its older messages in the same way, behind those of the job, if they are still there: a
// session that was cleared gets nothing of it back.
write add_summary(std::string_view session, message_row const& row);
// Deletes all of its messages, those that the same commit adds among them.
write clear_session(std::string_view session);
// Deletes all but the newest messages of other jobs, a bounded number at a time.
write trim_session(std::string_view session, job_id but_for, int newest);
// The same in a transaction of its own: how many messages those were.
std::int64_t forget_session(transaction& tx, std::string_view session);

struct session_summary {
    std::string name;
    std::int64_t messages = 0;   // counted up to most_counted_messages
    std::string last_message_at; // ISO 8601 in UTC
    job_id last_job{};           // that said it
};
inline constexpr int most_counted_messages = 1'000;
// Those whose names contain the text, as session_names() finds them.
std::vector<session_summary> list_sessions(
    transaction& tx, std::string_view search, std::string_view after, int limit
);

// Names behind `after` that contain the text, in any case of letters; in the database's order.
std::vector<std::string> session_names(
    transaction& tx, std::string_view search, std::string_view after, int limit
);

// The newest `limit` messages of user and assistant of other jobs, with the calls and results between
// them, oldest first; of those jobs alone where they are named.
base::awaitable<base::result<std::vector<message_row>>> read_session(
    batcher& reads,
    std::string session,
    std::int64_t but_for,
    int limit,
    base::duration deadline,
    std::optional<boost::json::array> of_jobs = {}
);

} // namespace postrider::storage
