#pragma once
// What a judgement of a message reads, and what it leaves: the verdict, the author's count of messages, and the message among
// the group's recent ones. The rows belong into the commit that records the judgement.
//
// A message counts once and is remembered once, however often it is judged: by its number in the group. It is never among the
// recent messages that it is compared with.
#include "agent/spam/recent_messages.hpp"
#include "agent/spam/store/knowledge_cache.hpp"
#include "agent/spam/store/verdicts.hpp"
#include "agent/spam/verdict.hpp"
#include "storage/batcher.hpp"

#include <cstdint>
#include <vector>

namespace postrider::agent::spam {

// How a group knows an author.
enum class acquaintance : std::uint8_t {
    stranger, // nobody yet, or not any more
    approved, // by messages that passed
    trusted,  // by a person's word
};

struct standing {
    spam::acquaintance acquaintance = spam::acquaintance::stranger;
    sample_revisions revisions;
    recent_messages recent; // of the author, or of the same wording
};

// Of a reaction the message is the one that it is to. Failures as of storage::query().
base::awaitable<base::result<standing>> read_standing(
    storage::batcher& reads, judged_message const& judged, base::duration deadline
);

struct judgement {
    spam::verdict verdict;
    bool is_kept = true; // the verdict, for people
    bool counts = false; // towards approval: a message of a stranger that passed
    int enough = 1;      // messages that approve
};

// Where it is spam, an author whom no person trusts is a stranger again. Orders 56 to 59; they return no rows.
std::vector<storage::write> rows_of(judged_message const& judged, judgement const& judgement);

} // namespace postrider::agent::spam
