#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/actions.hpp"

namespace postrider::agent::flow {

behaviour call_flow_behaviour() {
    return durable{call_flow};
}

} // namespace postrider::agent::flow
