#pragma once
// Which flow a node calls that called a workflow in n8n.
#include "agent/flow/n8n/mapping.hpp"

#include <string>

namespace postrider::agent::flow::n8n {

// As the import names the workflow that n8n has there; of the workflow's own id, as it names this one.
std::string called_flow(translation const& in);

} // namespace postrider::agent::flow::n8n
