#pragma once
// Models as nodes: each is made of an entry of the configuration, [models.NAME].
#include "agent/flow/parts/models.hpp"

#include <string>

namespace postrider::agent::flow {

// `owner`: the provider whose entry it must be; "" = any.
base::awaitable<base::result<models_part>> make_models_part(part_run& run, std::string owner);

} // namespace postrider::agent::flow
