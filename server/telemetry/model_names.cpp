#include "server/telemetry/model_names.hpp"

#include "agent/models/model_name.hpp"
#include "agent/models/provider.hpp"

namespace postrider::telemetry {

model_names::model_names(entries const& configured) {
    for (auto const& [entry, options] : configured) {
        auto const* owner = agent::find_provider(options.provider);
        auto name = options.model;
        if (name.empty() && owner) name = owner->default_model;
        if (!name.empty()) configured_.push_back({options.provider, std::move(name)});
    }
}

asked_model model_names::find(std::string_view reported) const {
    asked_model best{"", ""};
    auto const take_longer = [&](std::string_view provider, std::string_view name) {
        if (name.size() > best.name.size()) best = {std::string(provider), std::string(name)};
    };
    for (auto const& model : configured_)
        if (agent::is_model_or_dated(reported, model.name)) take_longer(model.provider, model.name);
    for (auto const* provider : agent::providers()) {
        if (provider->default_model == reported) take_longer(provider->name, reported);
        if (auto const* entry = find_known_model(*provider, reported))
            take_longer(provider->name, entry->name);
    }
    if (best.name.empty()) best.name = reported;
    return best;
}

} // namespace postrider::telemetry
