#pragma once
// What the names of expressions mean within an execution: the same at every run of it.
#include "agent/expression/expression.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/validate/graph.hpp"

#include <boost/json/value.hpp>

#include <map>
#include <string>

namespace postrider::agent::flow {

struct walk_context;

boost::json::array array_of(items const& list);
// $session: {"id": the conversation, "lane"}, of a Telegram message "bot", "chat", "thread",
// "user", of one over the chat API "conversation", "user".
boost::json::object session_of(queue::job const& job, execution_input const& input);
// $execution: {"id", "flow", "version"}; while it runs also "resume", the links of its nodes by their
// names, where there are such: of a node of a loop that of the round.
boost::json::object execution_of(queue::job const& job, execution_input const& input);
// The view of the agent that the execution is for; $vars are the flow's own, and "agent", what the
// configuration says of [agents.NAME].
agent_view& agent_of(
    graph const& flow, node_services const& services, execution_input const& input
);
// $node["…"]: the items of all outputs, in that order of them; null without any.
boost::json::value node_value(outputs const& output, std::vector<std::string> const& order);

// What does not change during an execution, and what its nodes made so far.
class names {
public:
    explicit names(walk_context const& context) : context_(context) {}

    boost::json::value const* variable(std::string_view name) const;
    // Of a node that leads to the reader, the node whose parameters are evaluated. Of no other: one
    // that runs beside the reader is over at one run of the execution, and not yet at another.
    boost::json::value const* node(std::string_view name, std::size_t reader) const;
    std::size_t index_of(std::string const& id) const; // of a node that is there
    // Of the parameters of that node for that item: the same at every run of the execution.
    std::string identity(std::size_t node, std::size_t item, std::size_t reader) const;
    // From now on $node["…"] of that node gives its items. What was made stays where it is.
    void note(std::size_t node, outputs const& output) {
        nodes_.erase(node);
        outputs_.insert_or_assign(node, &output);
    }
    // It runs anew: $node["…"] of it gives nothing until then.
    void forget(std::size_t node) {
        nodes_.erase(node);
        outputs_.erase(node);
    }
    // Of a node of a loop: where its steps of this round stand. $execution has another link of it then.
    void note_scope(std::size_t node, std::string scope) {
        scopes_.insert_or_assign(node, std::move(scope));
        variables_.erase("$execution");
    }

private:
    boost::json::object resume_links() const;

    walk_context const& context_;
    mutable std::map<std::string, boost::json::value, std::less<>>
        variables_;                                           // made when asked for
    mutable std::map<std::size_t, boost::json::value> nodes_; // likewise
    std::map<std::size_t, outputs const*> outputs_;
    std::map<std::size_t, std::string> scopes_; // of nodes of loops
};

// What came to a node, as $input says it: made when it is asked for, once for all items.
class node_input {
public:
    // It outlives this.
    explicit node_input(flow::items const& items) : items_(items) {}

    flow::items const& items() const noexcept { return items_; }
    boost::json::value const& value() const;

private:
    flow::items const& items_;
    mutable boost::json::value value_;
};

// A model's call of a tool, while its parameters are evaluated.
struct tool_call_names {
    boost::json::object const& from_ai; // what the model gave
    std::string const& agent;           // the node's id
    int number = 0;                     // among the agent's calls
};

// The same for one item of a node's input, for the parameters of that node or of one of its parts.
class item_names final : public agent::scope {
public:
    // All outlive it.
    item_names(
        names const& names,
        std::size_t node,
        node_input const& input,
        std::size_t item,
        tool_call_names const* call = nullptr
    )
        : names_(names),
          node_(node),
          input_(input),
          item_(item),
          reader_(call ? names.index_of(call->agent) : node) {
        if (!call) return;
        from_ai_ = call->from_ai;
        call_ = "/" + call->agent + "/" + std::to_string(call->number);
    }

    boost::json::value const* variable(std::string_view name) const override;
    boost::json::value const* node(std::string_view name) const override {
        return names_.node(name, reader_);
    }
    std::string identity() const override;

private:
    names const& names_;
    std::size_t node_;
    node_input const& input_;
    std::size_t item_;
    std::size_t reader_;         // of a part, what it hangs on
    boost::json::value from_ai_; // what a model gave
    std::string call_;           // "" or which call of which agent
};

} // namespace postrider::agent::flow
