#pragma once
// How a table of node types, node_types.def, becomes a catalog. NAME_json() is the embedded text of
// NAME.json. NAME.cpp defines NAME_behaviour(), or NAME_types() where several types share the text.
#include "agent/flow/catalog.hpp"
#include "agent/flow/nodes/read_node_type.hpp"

#include <string_view>
#include <vector>

// Both stand in a function of the namespace agent::flow.
#define POSTRIDER_ADD_NODE_TYPE(types, name)                                                       \
    {                                                                                              \
        extern std::string_view name##_json();                                                     \
        extern behaviour name##_behaviour();                                                       \
        (types).add(read_node_type(name##_json(), name##_behaviour()));                            \
    }
#define POSTRIDER_ADD_NODE_TYPES(types, name)                                                      \
    {                                                                                              \
        extern std::string_view name##_json();                                                     \
        extern std::vector<node_type> name##_types(std::string_view text);                         \
        for (auto& type : name##_types(name##_json())) (types).add(std::move(type));               \
    }
