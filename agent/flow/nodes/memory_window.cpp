#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/memories.hpp"

namespace postrider::agent::flow {

behaviour memory_window_behaviour() {
    return part_of(ai_memory, make_window_memory);
}

} // namespace postrider::agent::flow
