#pragma once
// Models as nodes: each kind makes a model of an entry of the configuration, [models.NAME].
#include "agent/flow/node_type.hpp"

#include <initializer_list>
#include <string_view>

namespace postrider::agent::flow {

// not_found: there is no such entry; invalid: it is another provider's.
base::result<ai_part> make_configured_model(part_run const& run);
base::result<ai_part> make_anthropic_model(part_run const& run);
base::result<ai_part> make_openai_model(part_run const& run);
base::result<ai_part> make_compatible_model(part_run const& run);
base::result<ai_part> make_rules_model(part_run const& run);

// The parameters of a provider's model: "credential", "model" (with names to choose from),
// "temperature" (up to `hottest`) and "max_tokens".
boost::json::object model_parameters(
    std::string_view provider, std::initializer_list<std::string_view> models, double hottest
);

} // namespace postrider::agent::flow
