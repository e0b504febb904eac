#pragma once
// Published flows that are valid no longer. A flow was right when it was published;
// another flow that it calls, or an entry of the configuration, may have gone since.
#include "agent/flow/library/lifecycle.hpp"

namespace postrider::agent::flow {

struct failing_flow {
    std::string name;
    std::vector<problem> errors; // never empty
};

// By name. Throws as transaction::query() does. Reads every published document: for people who look
// after an installation, not for what runs.
std::vector<failing_flow> failing_flows(storage::transaction& tx, validator const& validator);

// The published flows that call this one, or have it run when they fail; by name. Throws likewise.
std::vector<std::string> flows_that_need(storage::transaction& tx, std::string_view flow);

} // namespace postrider::agent::flow
