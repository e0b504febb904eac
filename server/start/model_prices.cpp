#include "server/start/model_prices.hpp"

#include "agent/models/provider.hpp"

namespace postrider::server {

agent::token_prices prices_of(
    config const& settings, std::string const& entry, std::string_view model
) {
    auto const& options = settings.models.at(entry);
    auto const& owner = *agent::find_provider(options.provider);
    agent::known_model listed;
    if (is_vendors(owner, options.base_url))
        if (auto const* model_facts = find_known_model(owner, current_name(owner, model)))
            listed = *model_facts;
    configured_prices configured;
    if (auto const price = settings.model_prices.find(entry); price != settings.model_prices.end())
        configured = price->second;
    agent::token_prices prices;
    prices.input = configured.input.value_or(listed.input_price / 100);
    prices.output = configured.output.value_or(listed.output_price / 100);
    auto const share = listed.cached > 0 ? listed.cached : owner.cache.cached;
    prices.cached = configured.cached.value_or(prices.input * share);
    prices.cache_written = prices.input * owner.cache.written;
    return prices;
}

} // namespace postrider::server
