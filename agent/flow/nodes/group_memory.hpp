#pragma once
// The conversation of a group as its agent reads it: memory_group.json describes its parameters.
//
// It is read from the archive for each turn, and nothing of it is kept here. Where the request turns out to be
// longer than the threshold, the rows of the turn have a job that summarises its older half (compaction_job.hpp).
#include "agent/flow/parts/memory.hpp"

namespace postrider::agent::flow {

// invalid: no message of a Telegram chat started the execution, or the time zone is unknown. refused: the process
// keeps no conversations.
base::awaitable<base::result<memory_part>> make_group_memory(part_run& run);

} // namespace postrider::agent::flow
