#pragma once
// Private to agent/models: the constructors that the factory chooses from. Options are complete
// here (model and base_url filled in).
#include "agent/models/factory.hpp"

namespace postrider::agent {

std::unique_ptr<model> make_anthropic(
    model_options options, net::base_url base, net::http_client& client, base::clock& clock
);
std::unique_ptr<model> make_openai_responses(
    model_options options, net::base_url base, net::http_client& client, base::clock& clock
);
std::unique_ptr<model> make_openai_chat(
    model_options options, net::base_url base, net::http_client& client, base::clock& clock
);
std::unique_ptr<model> make_rules();

base::awaitable<base::result<void>> probe_anthropic(
    model_options options, net::base_url base, net::http_client& client, base::clock& clock
);
base::awaitable<base::result<void>> probe_openai(
    model_options options, net::base_url base, net::http_client& client, base::clock& clock
);

} // namespace postrider::agent
