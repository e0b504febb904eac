#pragma once
// What an agent node offers its model: tools that answer at once, and flows that are run as tools.
#include "agent/flow/document/definition.hpp"
#include "agent/tools/tool.hpp"

#include <boost/json/object.hpp>

#include <functional>
#include <map>
#include <string>

namespace postrider::agent::flow {

// A flow that is run when the model calls the tool of its name: within the job, in steps of its
// own.
struct flow_call {
    std::string flow;
    // The flow's input: the model's arguments, and what the node says itself.
    std::function<base::result<boost::json::object>(boost::json::object const& arguments)> input;
};

struct offered_tools {
    tool_set set; // the flows' names and parameters, too
    std::map<std::string, flow_call, std::less<>> flows;
    std::map<std::string, node const*, std::less<>> nodes; // by the tools' names; of the graph
};

} // namespace postrider::agent::flow
