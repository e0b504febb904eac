#pragma once
// It was no spam: what the filter did to a message and its author is undone, and the filter learns from it.
//
// Rows for a commit: the author is not banned any more, has no strikes and is approved; the text is a sample of ham;
// samples of spam with exactly this text are withdrawn; the catch is marked; reports of the message are settled. The caller
// has Telegram undo the ban or the restriction in the same commit: an effect of a job (agent/moderation/deed.hpp), or a job
// that is enqueued.
#include "agent/spam/store/catches.hpp"
#include "agent/spam/store/rows.hpp"
#include "base/async.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

// `by_word_of`: "user:ID", "cli:NAME". A text without words is no sample.
std::vector<storage::write> undo_rows(caught_message const& caught, std::string_view by_word_of);
// The same of a member as a whole: of all that they are banned for (find_bans()), if anything.
std::vector<storage::write> unban_rows(
    member_word const& word, std::vector<caught_message> const& bans
);

// What is to be undone of a message: its catch or, where there is none any more, its verdict as spam (of such a one the bot
// is not known: 0), or what members reported. A supergroup has its own messages first, then those from before it became one.
// Nothing: it was never taken for spam.
std::optional<stored_catch> find_undoable(
    storage::transaction& tx, chat_id chat, telegram_message_id message
);

// An act of a job against a member that Telegram has not done yet.
struct planned_act_on_member {
    job_id job{};
    lane_id lane{};
    std::string act; // its effect, by the last part of its key
    chat_id chat{};
    user_id author{};
};
// A press of "Not spam" that waits behind the act, in the same lane. Nobody has asked yet whether that person may.
struct waiting_undo {
    user_id presser{};
    bool is_owner = false; // of the bot
};
struct undo_state {
    bool is_undone =
        false; // a person has let the author in since: by an undo, an unban or an approval
    std::vector<waiting_undo> waiting = {};
};
// What has become of the act since it was planned. Failures as of storage::query().
base::awaitable<base::result<undo_state>> look_for_undo(
    storage::batcher& reads, planned_act_on_member planned, base::duration deadline
);

} // namespace postrider::agent::spam
