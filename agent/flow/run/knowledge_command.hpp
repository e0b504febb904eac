#pragma once
// /knowledge COLLECTION as the caption of a document, or as a reply to one: an owner of the bot adds it to the
// collection. The job that reads it begins with the commit of the answer.
#include "agent/flow/execution_input.hpp"
#include "agent/flow/parts/services.hpp"
#include "queue/workflow.hpp"

#include <boost/json/value.hpp>

#include <vector>

namespace postrider::agent::flow {

// {"text"}, and {"document"} where there is something to be read.
base::awaitable<queue::step_value> take_document(
    queue::job const& job, execution_input const& input, node_services const& services
);
std::vector<storage::write> rows_of_document(boost::json::value const& value);

} // namespace postrider::agent::flow
