#pragma once
// Room for executions on this node. A slot that is reserved before a commit lets the commit lease
// the job's lane to this node; the job is then started, or the slot released. On the executor's one
// thread.
#include "queue/store/enqueue.hpp"

namespace postrider::agent::flow {

class execution_slots {
public:
    virtual ~execution_slots() = default;
    // This node, with a slot reserved; nothing when it has no room, or is draining.
    virtual std::optional<node_id> try_reserve() = 0;
    // Runs the job in the reserved slot. The lane is leased to this node since the commit.
    virtual void start(queue::enqueued const& enqueued, queue::job job) = 0;
    virtual void release() = 0;
    // A lane with a job has just become ready, and no node runs it.
    virtual void job_waits() = 0;
    // A message asked the running turn of its lane to make way.
    virtual void turn_interrupted() = 0;
};

} // namespace postrider::agent::flow
