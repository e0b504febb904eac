#pragma once
// The words of a voice message, in the message's row.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <string_view>

namespace postrider::storage {

// Of the message that the job answers: its text where it is `wordless`, or else behind its text. Order 58; returns no
// row.
write keep_transcript(lane_id lane, job_id job, std::string_view words, bool wordless);

} // namespace postrider::storage
