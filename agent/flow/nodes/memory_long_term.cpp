#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/long_term_memory.hpp"

namespace postrider::agent::flow {

behaviour memory_long_term_behaviour() {
    return part_of(ai_memory, make_long_term_memory);
}

} // namespace postrider::agent::flow
