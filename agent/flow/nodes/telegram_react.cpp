#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/actions.hpp"

namespace postrider::agent::flow {

behaviour telegram_react_behaviour() {
    return durable{react_telegram, {"bot", "chat", "message"}};
}

} // namespace postrider::agent::flow
