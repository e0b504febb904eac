#include "agent/models/provider.hpp"

#include "agent/models/model_name.hpp"

#include <algorithm>

namespace postrider::agent {

provider const* find_provider(std::string_view name) noexcept {
    auto const all = providers();
    auto const place = std::ranges::find(all, name, &provider::name);
    return place == all.end() ? nullptr : *place;
}

wire_api const* find_api(provider const& provider, std::string_view name) noexcept {
    if (provider.apis.empty()) return nullptr;
    if (name.empty()) return &provider.apis.front();
    auto const place = std::ranges::find(provider.apis, name, &wire_api::name);
    return place == provider.apis.end() ? nullptr : &*place;
}

std::string_view key_variable(provider const& provider) noexcept {
    auto const row = std::ranges::find_if(provider.settings, [](base::setting const& setting) {
        return setting.key.ends_with(".api_key");
    });
    return row == provider.settings.end() ? "" : row->environment;
}

std::string key_variables() {
    std::string names;
    for (auto const* provider : providers())
        if (auto const name = key_variable(*provider); !name.empty())
            names.append(names.empty() ? "" : " or ").append(name);
    return names;
}

known_model const* find_known_model(provider const& provider, std::string_view name) noexcept {
    for (auto const& model : provider.models)
        if (is_model_or_dated(name, model.name)) return &model;
    return nullptr;
}

std::string_view current_name(provider const& provider, std::string_view name) noexcept {
    constexpr std::string_view latest = "-latest";
    auto const bare = name.ends_with(latest) ? name.substr(0, name.size() - latest.size()) : name;
    for (auto const& former : provider.former)
        if (is_model_or_dated(bare, former.name)) return former.now;
    return name;
}

bool is_vendors(provider const& provider, std::string_view address) {
    if (address.empty()) return true;
    auto const own = net::parse_base_url(provider.address);
    auto const other = net::parse_base_url(address);
    return own && other && own->origin == other->origin;
}

std::vector<std::string> nodes_of(model_options const& options) {
    std::vector<std::string> names{options.provider};
    auto const* from = find_provider(options.provider);
    auto const* api = from ? find_api(*from, options.api) : nullptr;
    if (api && !api->node.empty()) names.emplace_back(api->node);
    return names;
}

std::string toolless_name(model_options const& options, std::string_view model) {
    auto const* owner = find_provider(options.provider);
    if (!owner) return {};
    std::string_view name = model.empty() ? std::string_view(options.model) : model;
    if (name.empty()) name = owner->default_model;
    auto const* facts = find_known_model(*owner, name);
    bool const takes_tools = options.takes_tools.value_or(!facts || facts->tools);
    return takes_tools ? std::string() : options.provider + "/" + std::string(name);
}

} // namespace postrider::agent
