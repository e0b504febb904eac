#pragma once
// The models that a node names by constants, without asking them: for what looks at flows before they run.
#include "agent/flow/document/definition.hpp"

#include <string>
#include <vector>

namespace postrider::agent::flow {

struct asked_model {
    std::string entry;     // of [models.NAME]; it may hold an expression
    std::string name = {}; // as the provider calls it; "" = the entry's
    std::string path = {}; // JSON Pointer of the parameter within the node

    auto operator<=>(asked_model const&) const = default;
};

// Of a node whose kind is ai_model, its own first. A provider's model whose name is an expression is left out.
std::vector<asked_model> asked_models(node const& node);

} // namespace postrider::agent::flow
