#pragma once
// A valid definition made ready to run: types found, parameters compiled, neighbours linked.
// Immutable; shared by the executions of its version. Its templates are for one thread.
#include "agent/expression/template.hpp"
#include "agent/flow/validate/validate.hpp"

#include <any>
#include <map>
#include <memory>

namespace postrider::agent::flow {

struct compiled_node {
    flow::node const* node = nullptr;
    std::size_t rank =
        0; // in the order in which nodes run; of two that nothing orders, the document's
    node_type const* type = nullptr; // null: disabled and unknown
    parameter_template parameters;
    std::vector<std::size_t> main_inputs = {};  // connections, in the document's order
    std::vector<std::size_t> main_outputs = {}; // likewise
    // Nodes that hang on it, in the document's order; disabled ones are left out.
    std::vector<std::size_t> parts = {};
    // By node: it leads here, so it is over when this one runs, at every run of an execution. What
    // merely runs beside this one may be over or not.
    std::vector<bool> before = {};
    // Of a node with a loop: the output that leads into its body, the nodes there in the document's
    // order, and the connections that come back from there.
    std::string body_output = {};
    std::vector<std::size_t> body = {};
    std::vector<std::size_t> returns = {};
    // Connections back into a loop: they are none of main_outputs and of main_inputs.
    std::vector<std::size_t> back_outputs = {};
    std::vector<std::size_t> loops = {}; // that the node is in, the outermost first
    // What passes through it, or goes on in its place, comes out here: "main" of most.
    std::string first_output = "main";
    std::vector<std::string> output_order = {}; // its outputs as its type has them
    // Evaluated and fitted once, where they hold no expression.
    std::optional<boost::json::object> fitted = {};
    // Their expressions ask for nothing but $vars, which is the same for all that one agent does.
    bool settled_by_agent = false;
    // By the kind's name: what was made of all its parts of a kind, where that is the same for every execution.
    mutable std::map<std::string_view, std::any> lasting_parts = {};
};

// What the flow makes of an agent's entry in the configuration, which stays as it is.
struct agent_view {
    boost::json::value variables = {}; // $vars
    // By node: evaluated and fitted at the first use, of those that are settled by the agent.
    std::vector<std::optional<boost::json::object>> fitted = {};
};

class graph {
public:
    // The catalog outlives the graph. The problems when there is an error among them, of those that
    // keep a published flow from running.
    static std::variant<std::shared_ptr<graph const>, std::vector<problem>> compile(
        definition flow, catalog const& types, validation_context const& context = {}
    );
    graph(graph const&) = delete;
    graph& operator=(graph const&) = delete;

    definition const& flow() const noexcept { return flow_; }
    catalog const& types() const noexcept { return types_; }
    // As in the definition.
    std::vector<compiled_node> const& nodes() const noexcept { return nodes_; }
    std::vector<std::size_t> const& triggers() const noexcept { return triggers_; } // enabled ones
    // An expression reads $now.
    bool asks_for_the_time() const noexcept { return asks_for_the_time_; }
    // The agent's, empty at first; stays where it is. It is of the services that a graph runs with,
    // which are the same all its life.
    agent_view& view_of(std::string const& agent) const { return views_[agent]; }

private:
    graph(definition flow, catalog const& types);
    void link();
    void find_bodies();
    void rank_nodes();
    void note_what_leads_to(std::size_t node);

    definition flow_;
    catalog const& types_;
    std::vector<compiled_node> nodes_;
    std::vector<std::size_t> triggers_;
    bool asks_for_the_time_ = false;
    mutable std::map<std::string, agent_view> views_;
};

} // namespace postrider::agent::flow
