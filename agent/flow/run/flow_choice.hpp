#pragma once
// The flow that a job runs: a version, or a draft as it was when the job was made.
#include "agent/flow/execution_input.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/validate/graph.hpp"

namespace postrider::agent::flow {

struct flow_choice {
    std::string name;
    std::int64_t version = 0;
    boost::json::value document = {}; // of a draft; null = the version's
};

flow_choice choice_of(execution_input const& input);
// Of any job's input; an empty name where it names no flow.
flow_choice choice_of(boost::json::value const& input);

// refused: the draft cannot be compiled here; otherwise as services.find_flow.
base::awaitable<base::result<std::shared_ptr<graph const>>> find_chosen(
    node_services const& services, flow_choice choice
);

} // namespace postrider::agent::flow
