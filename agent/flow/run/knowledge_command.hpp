#pragma once
// /knowledge COLLECTION as the caption of a document, or as a reply to one: an owner of the bot adds it to the
// collection, with all files of its album. The jobs that read them begin with the commit of the answer.
//
// Guarantees that a document belongs to whoever sent it, and that a file which the messenger does not give is
// refused by the answer.
#include "agent/flow/execution_input.hpp"
#include "agent/flow/parts/services.hpp"
#include "queue/workflow.hpp"

#include <boost/json/value.hpp>

#include <vector>

namespace postrider::agent::flow {

// {"text"}, and {"documents"} where there is something to be read.
base::awaitable<queue::step_value> take_documents(
    queue::job const& job, execution_input const& input, node_services const& services
);
std::vector<storage::write> rows_of_documents(boost::json::value const& value);

} // namespace postrider::agent::flow
