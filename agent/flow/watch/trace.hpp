#pragma once
// What an execution did, node by node and in order, as an observer saw it.
#include "agent/flow/run/observer.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace postrider::agent::flow {

enum class node_state {
    not_reached, // yet
    skipped,     // and will not be: nothing came to it
    running,
    waiting, // for an event, a time or its next try
    stopped, // not finished when the execution ended
    used,    // a part, by the agent that it hangs on
    done,
    failed, // the execution may have gone on
};
std::string_view to_string(node_state state) noexcept;

// Times count from the job's creation. Of a node of a loop it is the last round; metadata has the number of
// its "runs" where it ran more than once.
struct node_trace {
    node_state state = node_state::not_reached;
    items input;
    outputs output;
    std::optional<base::error> failure;
    boost::json::object metadata;
    std::optional<std::chrono::microseconds> began;
    std::optional<std::chrono::microseconds> ended;
    int runs = 0;
};

// How a run of a node ended, whatever it did in later rounds.
struct finish {
    node_state state = node_state::done;
    boost::json::object counts = {}; // of items by port
    std::optional<base::error> failure = {};
    boost::json::object metadata = {};
    std::optional<std::chrono::microseconds> began = {};
    int run = 0; // of the node's
};

struct happening {
    enum class sort { node_started, connection_used, node_finished, told };

    sort kind = sort::told;
    std::size_t at = 0; // the node's index, or the connection's
    std::chrono::microseconds when{0};
    std::size_t items = 0;           // that came with it
    std::string event = {};          // that was told
    boost::json::object detail = {}; // of it
    std::optional<finish> end = {};  // of a node that finished
};

struct trace {
    std::vector<node_trace> nodes; // as in the definition
    std::vector<happening> happened;
};

// Collects what it is told. Parts of agents have no runs of their own: parts_trace.hpp adds what
// they did. Nodes of flows that this one calls are not its own: they are left out.
class tracer final : public observer {
public:
    // The definition outlives it; the clock says when what is told happened.
    tracer(definition const& flow, std::function<std::chrono::microseconds()> clock);

    trace take() && { return std::move(seen_); }

    void began() override;
    void node_started(node const& node, items const& input) override;
    void connection_used(connection const& connection, std::size_t count) override;
    void node_finished(
        node const& node,
        outputs const& output,
        base::error const* failure,
        boost::json::object const& metadata
    ) override;
    void node_reported(node const& node, std::string_view event, boost::json::object detail)
        override;

private:
    void note(happening happened);

    definition const& flow_;
    std::function<std::chrono::microseconds()> clock_;
    trace seen_;
};

} // namespace postrider::agent::flow
