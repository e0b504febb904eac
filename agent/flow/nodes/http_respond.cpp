#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/actions.hpp"

namespace postrider::agent::flow {

behaviour http_respond_behaviour() {
    return durable{respond_http};
}

} // namespace postrider::agent::flow
