#include "agent/models/factory.hpp"

#include "agent/models/http_model.hpp"
#include "base/log.hpp"

namespace postrider::agent {

namespace {

struct chosen {
    provider const* from = nullptr;
    wire_api const* api = nullptr; // null: it is built in
    net::base_url address = {};
};

// Fills the options in.
base::result<chosen> choose(model_options& options) {
    chosen found{find_provider(options.provider)};
    if (!found.from)
        return base::error(base::errc::invalid, "unknown model provider: " + options.provider);
    if (options.model.empty()) options.model = found.from->default_model;
    if (found.from->is_built_in()) return found;
    found.api = find_api(*found.from, options.api);
    if (!found.api)
        return base::error(
            base::errc::invalid, options.provider + " has no API of the name " + options.api
        );
    if (options.base_url.empty()) options.base_url = found.from->address;
    if (is_vendors(*found.from, options.base_url))
        options.model = std::string(current_name(*found.from, options.model));
    auto address = net::parse_base_url(options.base_url);
    if (!address) return address.error();
    found.address = std::move(*address);
    if (found.from->normal_form) found.address = found.from->normal_form(std::move(found.address));
    return found;
}

} // namespace

base::result<std::unique_ptr<model>> make_model(
    model_options options, net::http_client& client, base::clock& clock
) {
    auto const named = options.model;
    auto found = choose(options);
    if (!found) return found.error();
    if (!found->api) return found->from->make_built_in();
    if (!named.empty() && named != options.model)
        base::log::warn("model.renamed", {{"model", named}, {"asked", options.model}});
    return make_http_model(
        *found->from, *found->api, std::move(options), std::move(found->address), client, clock
    );
}

base::awaitable<base::result<void>> probe_model(
    model_options options, net::http_client& client, base::clock& clock
) {
    auto found = choose(options);
    if (!found) co_return found.error();
    if (!found->api) co_return base::result<void>{};
    co_return co_await probe_over_http(
        *found->from, *found->api, std::move(options), std::move(found->address), client, clock
    );
}

base::awaitable<base::result<std::vector<std::string>>> list_models(
    model_options options, net::http_client& client, base::clock& clock
) {
    using names = std::vector<std::string>;
    auto found = choose(options);
    if (!found) co_return found.error();
    if (!found->api) co_return names{};
    auto all = co_await names_over_http(
        *found->from, *found->api, options, std::move(found->address), client, clock
    );
    // Of another server nobody knows what its names mean.
    auto const converses = found->from->converses;
    if (all && converses && is_vendors(*found->from, options.base_url))
        std::erase_if(*all, [&](std::string const& name) { return !converses(name); });
    co_return all;
}

} // namespace postrider::agent
