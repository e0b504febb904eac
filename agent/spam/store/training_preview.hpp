#pragma once
// What a training would change in a group: its own text, and the messages that were judged there last. Blocking, inside the
// caller's transaction; throws as transaction::query() does.
#include "agent/spam/preview.hpp"
#include "agent/spam/store/catches.hpp"
#include "agent/spam/store/samples.hpp"

#include <optional>
#include <vector>

namespace postrider::agent::spam {

// So many of the newest messages are judged again: of the lesson's group, or of all groups where all share it.
inline constexpr int most_judged_again = 1000;

training_effect preview_training(storage::transaction& tx, lesson const& lesson);

// The same of an unban (undo.hpp): its texts become ham, and samples of spam with one of them go. The first text is the effect's own,
// and the others are among those that are judged again. Nothing: it teaches nothing.
std::optional<training_effect> preview_unban(
    storage::transaction& tx, chat_id chat, std::vector<caught_message> const& bans
);

} // namespace postrider::agent::spam
