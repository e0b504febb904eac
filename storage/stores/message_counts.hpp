#pragma once
// How many messages a person sends within a minute, over all processes. A minute begins with the
// first message behind the one before. The counts of one person are in the order of their commits.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <chrono>

namespace postrider::storage {

// Counts a message. Its unit gets one row: read_message_count(). Order 15.
write count_message(user_id user);

struct message_count {
    std::int64_t place = 0;       // of the message among those of its minute, from 1
    std::chrono::seconds opens{}; // until the next minute
};
message_count read_message_count(row const& returned);

} // namespace postrider::storage
