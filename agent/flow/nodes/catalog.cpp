#include "agent/flow/catalog.hpp"

#include "agent/flow/nodes/node_types.hpp"

namespace postrider::agent::flow {

catalog builtin_types() {
    catalog types;
#define NODE_TYPE(name) POSTRIDER_ADD_NODE_TYPE(types, name)
#define NODE_TYPES(name) POSTRIDER_ADD_NODE_TYPES(types, name)
#include "agent/flow/nodes/node_types.def"
#undef NODE_TYPE
#undef NODE_TYPES
    return types;
}

} // namespace postrider::agent::flow
