#pragma once
// The messages of a lane that no job has read yet for long-term memories: how many they are, which they are,
// and how far a job has come. What was said alone: no calls of tools and no results.
#include "agent/recall/memory.hpp"
#include "base/error.hpp"
#include "storage/batcher.hpp"
#include "storage/stores/memory_outlook.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::recall {

using storage::older_amount;

// Behind the last one that was read, before the turn `until`; counted up to `most` messages. None while a job is not to
// begin, since others failed. Fails as batcher::commit(), as the next ones.
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
// Nothing was left to be read before that turn: what stands there is covered by summaries, though it is behind the last
// message that was read, since a summary before them went. Order 76; returns no row.
storage::write note_all_read(lane_id lane, job_id until);

// A job failed at the messages behind the last that were read: the next one begins after a pause, which doubles from
// ten minutes to a day. Counts once for a job. `refused`: the model was there and gave nothing of use. Order 76; returns
// no row.
storage::write note_failed_reading(
    lane_id lane, job_id job, base::error const& reason, bool refused
);
// So many jobs failed there that way, one after the other.
base::awaitable<base::result<int>> read_refusals(
    storage::batcher& reads, lane_id lane, base::duration deadline
);
// No memory is made of so many messages up to this one. Order 76; returns no row.
storage::write skip_read(memory_source const& last, std::int64_t messages);

} // namespace postrider::agent::recall
