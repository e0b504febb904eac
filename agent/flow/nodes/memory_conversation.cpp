#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/memories.hpp"

namespace postrider::agent::flow {

behaviour memory_conversation_behaviour() {
    return part_of(ai_memory, make_conversation_memory);
}

} // namespace postrider::agent::flow
