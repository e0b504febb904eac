#pragma once
// The one place that turns configuration into a model: providers and models are swapped here, and
// nothing else in agent/ knows which one it talks to.
#include "agent/models/model.hpp"
#include "agent/models/options.hpp"
#include "base/clock.hpp"
#include "net/http_client.hpp"

#include <string>
#include <vector>

namespace postrider::agent {

// The client and the clock must outlive the model. A name that the vendor serves no more becomes its
// successor's, which the log says. invalid: an unknown provider or API, or a malformed URL.
base::result<std::unique_ptr<model>> make_model(
    model_options options, net::http_client& client, base::clock& clock
);

// Asks the provider about the model, which costs nothing: does it answer, take the key, know the
// name? A server that is only compatible with OpenAI's is asked for its list: names there have
// aliases. Errors as those of chat(); invalid as above.
base::awaitable<base::result<void>> probe_model(
    model_options options, net::http_client& client, base::clock& clock
);

// The names of the models that the server of the options lists, in its order; at most a thousand.
// Asks nobody about a built-in provider. Errors as those of chat(); invalid as above.
base::awaitable<base::result<std::vector<std::string>>> list_models(
    model_options options, net::http_client& client, base::clock& clock
);

} // namespace postrider::agent
