#pragma once
// What a training would change in a group: its own text, and the messages that were judged there last. Blocking, inside the
// caller's transaction; throws as transaction::query() does.
#include "agent/spam/preview.hpp"
#include "agent/spam/store/samples.hpp"

namespace postrider::agent::spam {

// So many of the newest messages are judged again: of the lesson's group, or of all groups where all share it.
inline constexpr int most_judged_again = 1000;

training_effect preview_training(storage::transaction& tx, lesson const& lesson);

} // namespace postrider::agent::spam
