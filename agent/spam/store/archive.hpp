#pragma once
// What was written in groups, as the history has it, page by page for replays. Blocking, inside the caller's transaction; throws as
// transaction::query() does.
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <boost/json/value.hpp>

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace postrider::agent::spam {

struct archived_line {
    std::int64_t job = 0; // with the next: its place in the group's history
    std::int64_t position = 0;
    std::int64_t message = 0;
    std::int64_t user = 0; // 0: not told
    std::optional<std::int64_t> sender_chat = {};
    std::string name;          // as shown
    std::string content;       // the last wording, or what stands for a message without words
    std::int64_t sent_at = 0;  // Unix seconds
    boost::json::value author; // as message.author has it; null = nothing is known
    boost::json::value seen;   // the event that a watching flow got; null = it is gone
};

// Groups of which something is stored; of that one alone.
std::vector<chat_id> archived_groups(storage::transaction& tx, std::optional<chat_id> chat);

// Where the lines of such an age begin: for the first page.
std::int64_t first_job_since(storage::transaction& tx, std::chrono::seconds age);

// People's messages behind that place, not older than `age`, the oldest first; deleted ones as well.
std::vector<archived_line> archive_page(
    storage::transaction& tx,
    chat_id chat,
    std::int64_t behind_job,
    std::int64_t behind_position,
    std::chrono::seconds age,
    int limit
);

// Members of the group whom a person trusts, and those who were approved before that time.
struct earlier_members {
    std::set<std::int64_t> trusted;
    std::set<std::int64_t> approved;
};
earlier_members members_before(storage::transaction& tx, chat_id chat, std::chrono::seconds age);

} // namespace postrider::agent::spam
