#pragma once
// A job with what comes in with it, in one statement: the update's inbox row, if it is an update's,
// and, where that is new, the job and the message that it answers (docs/decisions/0037).
//
// Order 30 among a batch's statements. It locks inbox rows, then lanes, as the stages of other units
// do. What enqueues at a stage of one batch does it by this statement alone: beside another it would
// lock lanes in a second pass.
#include "base/ids.hpp"
#include "queue/store/enqueue.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/inbox.hpp"
#include "storage/stores/messages.hpp"

#include <optional>

namespace postrider::queue {

// What comes in with a job. Of the update its key is taken; the disposition is "job", and the
// message's chat is the one that was heard from. Of the message what a person's has: no detail, no
// delivery, position 0.
struct turn_rows {
    storage::inbox_row const* update = nullptr;
    storage::message_row const* message = nullptr;
};

// Where the lane is not there.
enum class absent_lane {
    stores_nothing,  // not even the update
    fails_statement, // conflict: the transaction has written what belongs to the job already
};

// The row to write. Its unit gets one row, read_turn(). It gets none where nothing was stored: the
// lane does not exist, or the same update came with another unit of the batch. Where the lane goes
// away after it was found the statement fails: conflict; not_found if its conversation was deleted.
storage::write enqueue_turn(
    new_job const& job,
    lane_id lane,
    turn_rows rows,
    absent_lane absent = absent_lane::stores_nothing
);

// Nothing: the update was seen before.
std::optional<enqueued> read_turn(storage::row const& returned);

} // namespace postrider::queue
