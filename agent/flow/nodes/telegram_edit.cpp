#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/actions.hpp"

namespace postrider::agent::flow {

behaviour telegram_edit_behaviour() {
    return durable{edit_telegram, {"bot", "chat", "message"}};
}

} // namespace postrider::agent::flow
