#pragma once
// Which conversation of a lane is open: jobs that are enqueued from then on are part of it. Rows of
// the one before stay as they are.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

namespace postrider::storage {

// Opens the next conversation of the lane, behind that job, which ends the one before: the
// conversation's number is the job's, so it is smaller than those of its turns (but for one that was
// put off before: later turns do not see its words). The unit locks the lane before it enqueues the
// job (turn_end.hpp), and stands apart(): a lane is locked before its row in lane_run. Order 53, behind
// the messages that belong to the conversation before.
write open_conversation(lane_id lane, job_id behind);

} // namespace postrider::storage
