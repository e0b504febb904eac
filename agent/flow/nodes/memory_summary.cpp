#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/memories.hpp"

namespace postrider::agent::flow {

behaviour memory_summary_behaviour() {
    return part_of(ai_memory, make_summary_memory);
}

} // namespace postrider::agent::flow
