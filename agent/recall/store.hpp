#pragma once
// The rows of memories (sql/tables/0050_memories.sql). Rows are written inside other rooms' commits and
// recalled in batches; people and programs look at them in transactions of their own.
//
// Guarantees that a memory is added once, whatever is committed again, and never beside another one of its
// owner with the same words; and that nobody recalls or removes a memory of another owner.
#include "agent/recall/memory.hpp"
#include "storage/batcher.hpp"
#include "storage/database.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::recall {

struct new_memory {
    std::string
        key; // of the call or the job that makes it: at most 200 bytes, another for each memory
    memory_owner owner;
    memory_kind kind = memory_kind::note;
    std::string text = {};
    std::optional<std::chrono::milliseconds> keep = {}; // nothing = until it is forgotten
    std::vector<memory_source> sources = {};
    // It is added only while all its sources stand as they were read. Without this it names those that are there.
    bool needs_sources = false;
};

// A note of what is there already keeps that for the longer time. Order 74; returns no row.
storage::write add_memory(new_memory const& memory);
// Order 75; returns no row. Nothing happens where the owner has no such memory.
storage::write remove_memory(std::int64_t id, memory_owner const& owner);

struct recall_question {
    memory_owner owner;
    std::string text;        // "" = the newest
    std::string vector = {}; // as vectors.hpp writes it; "" = by words alone
    double least_score = 0;
    int most = 5;
    // Memories that come from messages of this lane from that job on alone are left out; 0 = none are.
    lane_id shown_lane = {};
    job_id shown_since = {};
    job_id as_of =
        {}; // as they were when that job began; 0 = now. What was forgotten since is not found
};

// Best first. Fails as batcher::commit().
base::awaitable<base::result<std::vector<recalled_memory>>> recall_memories(
    storage::batcher& reads, recall_question question, base::duration deadline
);
// Nothing: the owner has none of this number.
base::awaitable<base::result<std::optional<recalled_memory>>> find_own_memory(
    storage::batcher& reads, std::int64_t id, memory_owner const& owner, base::duration deadline
);

// For people. What follows throws as transaction::query() does.
struct shown_source {
    memory_source place;
    std::string message = {};        // its id; "" = it is gone
    std::optional<std::string> text; // likewise nothing
};

struct shown_memory {
    stored_memory memory;
    std::vector<shown_source> sources;
};

struct memory_filter {
    std::optional<user_id> user = {};
    std::optional<chat_id> chat = {};
    std::optional<bot_id> bot = {};
    std::optional<memory_kind> kind = {};
    std::int64_t below = 0; // a page: ids below this one; 0 = from the newest
    int limit = 50;
};

// Newest first.
std::vector<shown_memory> list_memories(storage::transaction& tx, memory_filter const& filter);
std::optional<shown_memory> find_memory(storage::transaction& tx, std::int64_t id);
// With a row in the audit, on the word of whoever acts in the transaction. False: there is none.
bool forget_memory(storage::transaction& tx, std::int64_t id);

} // namespace postrider::agent::recall
