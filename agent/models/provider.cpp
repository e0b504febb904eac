#include "agent/models/provider.hpp"

#include <algorithm>

namespace postrider::agent {

provider const* find_provider(std::string_view name) noexcept {
    auto const all = providers();
    auto const found = std::ranges::find(all, name, &provider::name);
    return found == all.end() ? nullptr : *found;
}

wire_api const* find_api(provider const& from, std::string_view name) noexcept {
    if (from.apis.empty()) return nullptr;
    if (name.empty()) return &from.apis.front();
    auto const found = std::ranges::find(from.apis, name, &wire_api::name);
    return found == from.apis.end() ? nullptr : &*found;
}

bool is_vendors(provider const& of, std::string_view address) {
    if (address.empty()) return true;
    auto const own = net::parse_base_url(of.address);
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

} // namespace postrider::agent
