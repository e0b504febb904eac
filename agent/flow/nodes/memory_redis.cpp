#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/redis_memory.hpp"

namespace postrider::agent::flow {

behaviour memory_redis_behaviour() {
    return part_of(ai_memory, make_redis_memory);
}

} // namespace postrider::agent::flow
