#include "server/telemetry/model_names.hpp"

#include "agent/models/provider.hpp"

#include <algorithm>

namespace postrider::telemetry {

model_names::model_names(server::config const& settings) {
    for (auto const& [entry, options] : settings.models) {
        auto const* owner = agent::find_provider(options.provider);
        auto name = options.model;
        if (name.empty() && owner) name = owner->default_model;
        if (!name.empty()) configured_.push_back({options.provider, std::move(name)});
    }
    std::ranges::stable_sort(configured_, std::ranges::greater{}, [](asked_model const& model) {
        return model.name.size();
    });
}

asked_model model_names::find(std::string_view reported) const {
    for (auto const& model : configured_)
        if (reported.starts_with(model.name)) return model;
    for (auto const* provider : agent::providers()) {
        if (provider->default_model == reported)
            return {std::string(provider->name), std::string(reported)};
        if (auto const* known = find_known_model(*provider, reported))
            return {std::string(provider->name), std::string(known->name)};
    }
    return {"", std::string(reported)};
}

} // namespace postrider::telemetry
