#pragma once
// The texts of the files that came with a person's message, in the message's detail: later turns read them there.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

namespace postrider::storage {

// Of the message that the job answers (position 0 in its lane); nothing where it has none there. `documents`:
// [{"name", "text"}]. Order 57; returns no row.
write keep_documents(lane_id lane, job_id job, boost::json::value const& documents);

} // namespace postrider::storage
