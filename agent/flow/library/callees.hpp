#pragma once
// The flows that a flow calls: whether each has the trigger that calls start. Which flows there are
// at all is the validator's to say.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/document/problem.hpp"
#include "storage/database.hpp"

#include <vector>

namespace postrider::agent::flow {

class catalog;

// `not_callable` for each node that calls a published flow without a Manual trigger. Of a name that
// is not published, or that is found when the flow runs, nothing is said. Throws as
// transaction::query() does.
std::vector<problem> uncallable_flows(
    storage::transaction& tx, definition const& flow, catalog const& types
);

} // namespace postrider::agent::flow
