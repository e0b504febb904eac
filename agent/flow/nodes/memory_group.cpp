#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/group_memory.hpp"

namespace postrider::agent::flow {

behaviour memory_group_behaviour() {
    return part_of(ai_memory, make_group_memory);
}

} // namespace postrider::agent::flow
