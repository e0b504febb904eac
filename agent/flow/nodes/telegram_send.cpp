#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/actions.hpp"

namespace postrider::agent::flow {

behaviour telegram_send_behaviour() {
    return durable{send_telegram, {"bot", "chat"}};
}

} // namespace postrider::agent::flow
