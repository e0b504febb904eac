#pragma once
// The turn of a person's message, in one statement: the update's inbox row and, where the update is
// new, the job and the message that it answers (docs/decisions/0037).
//
// Order 30 among a batch's statements. It locks inbox rows, then lanes, as the stages of other units
// do; beside these in one batch it would be a second pass, so it is for units of one stage.
#include "base/ids.hpp"
#include "queue/store/enqueue.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/inbox.hpp"
#include "storage/stores/messages.hpp"

#include <optional>

namespace postrider::queue {

// The row to write. Of the update it takes the key; the disposition is "job", and the message's chat
// is the one that was heard from. Of the message it takes what a person's message has: no detail, no
// delivery, position 0.
//
// Its unit gets one row, read_turn(). It gets none where nothing was stored, not even the update: the
// lane does not exist, or the same update came with another unit of the batch. Where the lane goes
// away after it was found, the statement fails (conflict).
storage::write enqueue_turn(
    storage::inbox_row const& update,
    new_job const& job,
    storage::message_row const& message,
    lane_id lane
);

// Nothing: the update was seen before.
std::optional<enqueued> read_turn(storage::row const& returned);

} // namespace postrider::queue
