#include "agent/flow/nodes/agent.hpp"

#include "agent/flow/node_type.hpp"

namespace postrider::agent::flow {

behaviour agent_behaviour() {
    return durable{run_agent};
}

} // namespace postrider::agent::flow
