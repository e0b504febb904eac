#pragma once
// A valid definition made ready to run: types found, parameters compiled, neighbours linked.
// Immutable; shared by the executions of its version.
#include "agent/expression/template.hpp"
#include "agent/flow/node_type.hpp"

#include <memory>

namespace postrider::agent::flow {

struct compiled_node {
    flow::node const* node = nullptr;
    node_type const* type = nullptr; // null: disabled and unknown
    parameter_template parameters;
    std::vector<std::size_t> main_inputs;  // connections, in the document's order
    std::vector<std::size_t> main_outputs; // likewise
    std::vector<std::size_t> parts;        // nodes connected by ai_ connections
    // The tools among them, made at their first use where none has an expression.
    mutable std::shared_ptr<tool_set const> tools = {};
};

class graph {
public:
    // The catalog outlives the graph. The problems when there is an error among them.
    static std::variant<std::shared_ptr<graph const>, std::vector<problem>> compile(
        definition flow, catalog const& types, surroundings const& around = {}
    );

    definition const& flow() const noexcept { return flow_; }
    std::vector<compiled_node> const& nodes() const noexcept { return nodes_; }
    std::vector<std::size_t> const& triggers() const noexcept { return triggers_; }

private:
    definition flow_;
    std::vector<compiled_node> nodes_; // as in the definition
    std::vector<std::size_t> triggers_;
};

} // namespace postrider::agent::flow
