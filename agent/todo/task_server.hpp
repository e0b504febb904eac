#pragma once
// The todo server: the only way to people's tasks. Six tools over the store; whose tasks they see
// is known from who is authenticated. It keeps nothing between calls, so that any process can take the next.
//
// A due date that an agent of this process sets makes a reminder in the chat of the agent's turn, in the commit of the
// task; a client from outside has no chat.
//
// A change with a key (mcp/server.hpp) is done once, however often the call is repeated: a step that
// passes its own key never doubles what it did before a crash.
#include "agent/mcp/server.hpp"
#include "base/time_zone.hpp"
#include "storage/batcher.hpp"

#include <string>

namespace postrider::agent::todo {

struct task_services {
    storage::batcher& writes; // of tasks alone; see storage/stores/tasks.hpp
    storage::batcher& reads;
    base::time_zone zone; // of days and times without an offset
};

// What the services refer to outlives the server.
mcp::server_description make_task_server(task_services services, std::string version);

} // namespace postrider::agent::todo
