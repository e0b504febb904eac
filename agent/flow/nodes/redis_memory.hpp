#pragma once
// Sessions in a Redis that the flow's author names: a sorted set of entries for each, all of the same score,
// so that Redis has them in the order of their texts. See memory_redis.json.
#include "agent/flow/nodes/outside_memory.hpp"
#include "queue/workflow.hpp"
#include "storage/database.hpp"

#include <boost/json/value.hpp>

#include <string_view>

namespace postrider::agent::flow {

struct node_services;

base::awaitable<base::result<memory_part>> make_redis_memory(part_run& run);

// Writes what a turn could not write: {"session": …, "entries": […]} or {"session": …, "up_to": …}. Or removes what jobs
// have put there: {"session": …, "erase": [JOB, …]}.
inline constexpr std::string_view memory_write_kind = "memory.write";
queue::job_kind make_memory_writes(node_services const& services);

// Makes the job that removes it, of a session as the steps of turns name it.
void erase_from_session(
    storage::transaction& tx, boost::json::value const& session, boost::json::value const& jobs
);

} // namespace postrider::agent::flow
