#pragma once
// A person's word on members of a group that is given outside of it: in the console, over the API, on the command line. What
// the filter knows changes in the caller's transaction, which also enqueues a job that tells Telegram, in a lane beside the
// group's: it waits for no turn. On the word of who acts in the transaction (storage::act_as). Blocking; throws as
// transaction::query() does.
#include "agent/talk/address.hpp"
#include "agent/talk/messenger.hpp"
#include "base/error.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <optional>
#include <string_view>

namespace postrider::agent {

inline constexpr std::string_view act_by_hand_kind = "moderation_by_hand";

// Of a channel that writes in the group the author is its chat's number. The filter knows of the ban once Telegram has done it.
job_id ban_by_hand(storage::transaction& tx, address const& group, user_id author);
// All that they are banned for was no spam (agent/spam/store/undo.hpp).
job_id unban_by_hand(storage::transaction& tx, address const& group, user_id author);

struct undone_catch {
    user_id author{};
    std::optional<job_id> job = {}; // none: Telegram has nothing to undo
};
// It was no spam: see agent/spam/store/undo.hpp. not_found: it was never taken for spam; conflict: that was undone before.
base::result<undone_catch> undo_by_hand(
    storage::transaction& tx, chat_id chat, telegram_message_id message
);

// Both outlive the engine.
queue::job_kind make_acts_by_hand(messenger& out, storage::batcher& reads);

} // namespace postrider::agent
