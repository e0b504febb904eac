#pragma once
// Private to agent/models: a model that is asked over HTTP, by its provider's wire.
#include "agent/models/provider.hpp"

namespace postrider::agent {

// Options are complete. The client and the clock outlive the model.
std::unique_ptr<model> make_http_model(
    provider const& provider,
    wire_api const& api,
    model_options options,
    net::base_url address,
    net::http_client& client,
    base::clock& clock
);

// Errors as those of chat().
base::awaitable<base::result<void>> probe_over_http(
    provider const& provider,
    wire_api const& api,
    model_options options,
    net::base_url address,
    net::http_client& client,
    base::clock& clock
);

// The ids of {"data": [{"id": …}]}, as all vendors list them. Errors as those of chat().
base::awaitable<base::result<std::vector<std::string>>> names_over_http(
    provider const& provider,
    wire_api const& api,
    model_options options,
    net::base_url address,
    net::http_client& client,
    base::clock& clock
);

} // namespace postrider::agent
