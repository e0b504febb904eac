#pragma once
// What a turn's read of its history tells of long-term memories, so that a turn without any asks nothing more. Pure;
// the statement is that of messages.cpp.
#include "base/ids.hpp"
#include "base/json/row.hpp"

#include <boost/json/value.hpp>

#include <cstdint>

namespace postrider::storage {

// Whose memories a turn may recall.
struct memory_look {
    user_id user{}; // 0 = a group's
    chat_id chat{}; // 0 = a person's
    bot_id bot{};
};

// Older messages are counted up to so many.
inline constexpr int most_older_counted = 100;

struct older_amount {
    std::int64_t messages = 0;
    std::int64_t bytes = 0; // of their texts
};

struct memory_outlook {
    bool has_memories = false;
    bool lacks_vectors = false; // one of them has none
    // The last message of the lane that a job has read for memories; job 0 = none yet.
    job_id read_job{};
    std::int64_t read_position = -1;
    bool waits = false; // jobs failed there: none is to begin now
    // Of those behind it that were said: so many stand before the ones that the history has.
    older_amount older;
};

void add_look(base::json_row& row, memory_look const& look);
// Of the array in which the statement has the members, in their order.
memory_outlook memory_outlook_from(boost::json::value const& members);

} // namespace postrider::storage
