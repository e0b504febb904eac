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
    chosen choice{find_provider(options.provider)};
    if (!choice.from)
        return base::error(base::errc::invalid, "unknown model provider: " + options.provider);
    if (options.model.empty()) options.model = choice.from->default_model;
    if (choice.from->is_built_in()) return choice;
    choice.api = find_api(*choice.from, options.api);
    if (!choice.api)
        return base::error(
            base::errc::invalid, options.provider + " has no API of the name " + options.api
        );
    if (options.base_url.empty()) options.base_url = choice.from->address;
    if (is_vendors(*choice.from, options.base_url))
        options.model = std::string(current_name(*choice.from, options.model));
    auto address = net::parse_base_url(options.base_url);
    if (!address) return address.error();
    choice.address = std::move(*address);
    if (choice.from->normal_form)
        choice.address = choice.from->normal_form(std::move(choice.address));
    return choice;
}

} // namespace

base::result<std::unique_ptr<model>> make_model(
    model_options options, net::http_client& client, base::clock& clock
) {
    auto const named = options.model;
    auto choice = choose(options);
    if (!choice) return choice.error();
    if (!choice->api) return choice->from->make_built_in();
    if (!named.empty() && named != options.model)
        base::log::warn("model.renamed", {{"model", named}, {"asked", options.model}});
    return make_http_model(
        *choice->from, *choice->api, std::move(options), std::move(choice->address), client, clock
    );
}

base::awaitable<base::result<void>> probe_model(
    model_options options, net::http_client& client, base::clock& clock
) {
    auto choice = choose(options);
    if (!choice) co_return choice.error();
    if (!choice->api) co_return base::result<void>{};
    co_return co_await probe_over_http(
        *choice->from, *choice->api, std::move(options), std::move(choice->address), client, clock
    );
}

base::awaitable<base::result<std::vector<std::string>>> list_models(
    model_options options, net::http_client& client, base::clock& clock
) {
    using names = std::vector<std::string>;
    auto choice = choose(options);
    if (!choice) co_return choice.error();
    if (!choice->api) co_return names{};
    auto listed = co_await names_over_http(
        *choice->from, *choice->api, options, std::move(choice->address), client, clock
    );
    // Of another server nobody knows what its names mean.
    auto const converses = choice->from->converses;
    if (listed && converses && is_vendors(*choice->from, options.base_url))
        std::erase_if(*listed, [&](std::string const& name) { return !converses(name); });
    co_return listed;
}

} // namespace postrider::agent
