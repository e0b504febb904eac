#pragma once
// Where a replay of a recorded execution, by another version of its flow, differs from what happened then.
// Pure.
#include "agent/flow/validate/graph.hpp"
#include "agent/flow/watch/retrace.hpp"

#include <optional>
#include <string>

namespace postrider::agent::flow {

enum class difference_reason {
    definition, // a node that acts, or its part, is another one: the recorded answer is for the former
    output,     // a node makes other items
    state,      // a node runs now and did not then, or the reverse, or fails
    asks,       // a node asks for a step that the record does not have
    outcome,    // the end is another one, by no single node
};
std::string_view to_string(difference_reason reason) noexcept;

struct replay_difference {
    difference_reason reason = difference_reason::outcome;
    bool fails = false;               // it fails now, and did not then
    flow::node const* node = nullptr; // of the graph of now; null: none of its nodes
    std::string detail = {};          // for people
};

// What a graph made of a record. The graph and the retrace outlive the comparison's result.
struct replayed_graph {
    graph const& flow;
    retraced const& run;
};

// The first difference in the order in which the nodes of now run; nothing: it goes as it went then.
// Nodes are the same by their ids.
std::optional<replay_difference> first_difference(replayed_graph then, replayed_graph now);

} // namespace postrider::agent::flow
