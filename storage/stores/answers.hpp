#pragma once
// Whether a turn was answered: what its messages' deliveries came to.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <string_view>

namespace postrider::storage {

// True when a job that is over has sent something in its lane's chat, and all that it was to send
// there, the newest of it after the last of its steps of that name (a question to a model). Names such as
// "model:2" and "model:1.2" count as "model"; "a|b" is either. In doubt false: of a job without such a
// step. Fails as batcher::commit() does.
base::awaitable<base::result<bool>> was_answered(
    batcher& reads, lane_id lane, job_id job, std::string_view step, base::duration deadline
);

} // namespace postrider::storage
