#pragma once
// Models as nodes: each makes a model of an entry of the configuration, [models.NAME]. `model` takes
// any entry; the others are made of the table of providers, model.PROVIDER, and take theirs alone.
#include "agent/flow/node_type.hpp"

#include <vector>

namespace postrider::agent::flow {

std::vector<node_type> describe_models();

} // namespace postrider::agent::flow
