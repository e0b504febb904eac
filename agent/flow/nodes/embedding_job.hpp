#pragma once
// The job that gives memories their vectors, as its rows and its input say it. At most one lives. Pure.
#include "queue/store/later.hpp"
#include "storage/batcher.hpp"

#include <string_view>
#include <vector>

namespace postrider::agent::flow {

inline constexpr std::string_view embedding_kind = "memory.embed";

// A moment later, so that several memories share a call. What comes while one runs gets another.
std::vector<storage::write> embed_later();
// Likewise at once, also of memories with a vector of another model or dimension: the job, and whether it is new.
queue::later_enqueued reembed_now(storage::transaction& tx);

} // namespace postrider::agent::flow
