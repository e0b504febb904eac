#pragma once
// Whether a turn was answered: what its messages' deliveries came to.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

namespace postrider::storage {

// True when a job that is over has sent something in its lane's chat, and all that it was to send
// there, and none of it before what its models answered. In doubt false: a flow that asks no model. Fails as batcher::commit() does.
base::awaitable<base::result<bool>> was_answered(
    batcher& reads, lane_id lane, job_id job, base::duration deadline
);

} // namespace postrider::storage
