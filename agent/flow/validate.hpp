#pragma once
// The one validator: command line, API and editor list the same problems. Pure, total, and quick:
// 500 nodes take some milliseconds.
#include "agent/flow/definition.hpp"
#include "agent/flow/node_type.hpp"

namespace postrider::agent::flow {

// What a definition refers to outside itself; a member left empty is not checked.
struct surroundings {
    std::vector<std::string> models; // names in [models]
    std::vector<std::string> bots;
    std::vector<std::string> flows;
};

// Every problem of a definition that was read: unknown types, parameters (missing, of the wrong
// kind, unknown), ports and their cardinalities, cycles, duplicate tool names, expressions with
// their columns, unknown names in $node["…"], triggers that nothing can start, nodes that nothing
// reaches (a warning).
std::vector<problem> validate(
    definition const& flow, catalog const& types, surroundings const& around = {}
);

} // namespace postrider::agent::flow
