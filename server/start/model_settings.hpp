#pragma once
// The models of the configuration: [models.NAME] with its provider's settings behind it.
#include "server/start/config.hpp"

#include <vector>

namespace postrider::server {

// Of [models.NAME] and [agents.NAME].
std::vector<base::setting> model_rows();

// Fills in models, model_limits, model_prices and withheld_keys. "default" is always there: it is of
// the provider that the keys which are present choose. `defaults`: the table's own values.
void read_models(base::settings const& settings, base::settings const& defaults, config& into);

} // namespace postrider::server
