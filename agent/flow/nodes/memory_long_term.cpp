#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/long_term_memory.hpp"

namespace postrider::agent::flow {

behaviour memory_long_term_behaviour() {
    auto behaviour = part_of(ai_memory, make_long_term_memory);
    behaviour.looks_for_memories = true;
    return behaviour;
}

} // namespace postrider::agent::flow
