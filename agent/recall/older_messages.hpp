#pragma once
// The messages of a lane that no job has read yet for long-term memories: how many they are, which they are,
// and how far a job has come. What was said alone: no calls of tools and no results.
#include "agent/recall/memory.hpp"
#include "storage/batcher.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::recall {

struct older_amount {
    std::int64_t messages = 0;
    std::int64_t bytes = 0; // of their texts
};

// Behind the last one that was read, before the turn `until`; counted up to `most` messages. Fails as
// batcher::commit(), as the next one.
base::awaitable<base::result<older_amount>> measure_older(
    storage::batcher& reads, lane_id lane, job_id until, int most, base::duration deadline
);

struct older_message {
    memory_source place;     // with its digest
    bool is_persons = false; // or the agent's
    std::string name = {};   // the person's, as shown; "" = not known
    std::string day = {};    // 2026-11-30
    std::string text = {};
};

// The oldest of them, but for those that a summary covers; at most so many, and no more bytes of texts, but at
// least one.
base::awaitable<base::result<std::vector<older_message>>> read_older(
    storage::batcher& reads,
    lane_id lane,
    job_id until,
    int most,
    std::int64_t most_bytes,
    base::duration deadline
);

// All up to this message were read, if the summary of that key (new_memory) was added: it is not where one of them
// has changed meanwhile. Order 76; returns no row.
storage::write note_read(memory_source const& last, std::string_view summary_key);

} // namespace postrider::agent::recall
