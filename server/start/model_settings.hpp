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

// Adds an entry for a model that another setting names: as [models.NAME], or as its vendor calls it. The latter is asked
// like "default" where that is of the vendor, else with the vendor's key, where there is one; else like "default" again, by
// its name, or by the default's where the name `is_usual`, so that nobody has chosen it.
void add_model_entry(
    base::settings const& values,
    std::string const& entry,
    std::string const& name,
    bool is_usual,
    config& into
);

} // namespace postrider::server
