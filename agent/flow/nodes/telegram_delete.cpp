#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/actions.hpp"

namespace postrider::agent::flow {

behaviour telegram_delete_behaviour() {
    return durable{delete_telegram, {"bot", "chat", "message"}};
}

} // namespace postrider::agent::flow
