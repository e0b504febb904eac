#pragma once
// What an agent in a group reads: the newest summary that still holds, and the messages behind it, with those that it covers and that
// were edited since; and how a summary is stored. In order of (job, position) of the lane.
//
// A summary covers all messages of its lane up to its place. Once one of these is deleted, the summary is
// out of date and is not read any more: the one before it is, with the messages behind that one.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <compare>
#include <optional>
#include <string>
#include <vector>

namespace postrider::storage {

struct group_place {
    job_id job{};
    std::int64_t position = 0;

    auto operator<=>(group_place const&) const = default;
};

// What a message said before it was edited, and until when.
struct earlier_wording {
    std::string text;
    base::sys_time until;
};

struct quoted_context {
    telegram_message_id message{};
    std::string name; // of its author, as shown
    std::string text; // shortened, as the message that replied to it brought it
};

struct context_row {
    group_place place;
    telegram_message_id message{};
    user_id user{};                          // of our own message the bot's
    std::optional<chat_id> sender_chat = {}; // in whose name it was written
    std::string name;                        // the username; without one the name as shown
    std::string text;
    std::vector<earlier_wording> earlier = {}; // oldest first
    base::sys_time said_at;                    // by Telegram's clock, where it said so
    base::sys_time stored_at;
    std::string media = {};                   // "" = none
    std::optional<quoted_context> reply = {}; // none where what it quotes was deleted, or is spam
};

struct summary_row {
    group_place up_to;         // its last message
    std::int64_t messages = 0; // that it covers, with those of the summaries before it
    std::string text;          // "" = the memory was cleared there
    base::sys_time read_at;    // when its messages were read
};

struct group_history {
    base::sys_time read_at;    // by the database's clock
    base::sys_time arrived_at; // when the turn's job was made
    std::optional<summary_row> summary = {};
    std::vector<context_row> messages = {}; // behind it
    std::vector<context_row> edited = {};   // that it covers, by people, edited since it was read
};

struct context_page {
    bot_id bot{};
    chat_id chat{};
    lane_id lane{};
    job_id turn{}; // messages of people up to it, our own before it
    // Of a memory that lives with its process: nothing that was said before, and its own summaries.
    std::optional<base::sys_time> since = {};
    int most = 0; // of the newest messages
};

// Failures as of query(); not_found: the turn's job is gone.
base::awaitable<base::result<group_history>> read_group_context(
    batcher& reads, context_page page, base::duration deadline
);

// The messages that were read for a summary, those of the summary before it not among them.
struct summary_source {
    lane_id lane{};
    chat_id chat{};
    group_place first = {};
    std::int64_t messages = 0;                // 0 = none was read
    std::optional<base::sys_time> since = {}; // of the page
};

// Stores the summary once, if its messages are all still there. Those of the lane that are out of date by now
// are deleted.
write add_group_summary(summary_source const& source, summary_row const& summary);

} // namespace postrider::storage
