#include "agent/flow/node_type.hpp"

namespace postrider::agent::flow {

behaviour manual_behaviour() {
    return trigger{
        .source = trigger_source::caller,
        .open = [](auto const&) { return call_opening{}; },
    };
}

} // namespace postrider::agent::flow
