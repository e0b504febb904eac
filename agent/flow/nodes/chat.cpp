#include "agent/flow/node_type.hpp"

namespace postrider::agent::flow {

behaviour chat_behaviour() {
    return trigger{
        .source = trigger_source::message,
        .open = [](auto const&) { return conversation_opening{}; },
    };
}

} // namespace postrider::agent::flow
