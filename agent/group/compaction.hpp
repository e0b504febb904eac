#pragma once
// When the older half of a group's messages becomes part of its summary, and how that is asked for. Pure.
#include "agent/group/context.hpp"

namespace postrider::agent::group {

// About what the context costs a model.
std::int64_t tokens_of(std::size_t bytes) noexcept;
std::int64_t tokens_of(context const& conversation, base::time_zone const& zone);

struct compaction_plan {
    std::size_t messages = 0; // that the new summary covers, the oldest ones; 0 = none
    std::string prompt = {};
};

// Beyond the threshold the oldest half; none of fewer than two. The prompt has the summary so far, which
// the new one replaces.
compaction_plan plan_compaction(
    context const& conversation, std::int64_t threshold, base::time_zone const& zone
);

} // namespace postrider::agent::group
