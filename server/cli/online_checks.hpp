#pragma once
// What `check --online` and `doctor` ask of the world outside: Telegram, the model providers, the
// name that Telegram is told. Nothing is changed there, nothing costs money, and every question has
// a deadline.
#include "net/http_client.hpp"
#include "server/cli/finding.hpp"
#include "server/start/config.hpp"

#include <map>
#include <vector>

namespace postrider::cli {

// Who each token belongs to, how its updates come, and what it sees of its groups. `public_url` empty: updates are
// polled. `watches_groups`: flows ask for what happens there.
base::awaitable<findings> look_at_bots(
    net::http_client& http,
    std::vector<server::bot_config> const& bots,
    std::string public_url,
    bool watches_groups = false
);

// Does the provider answer, take the key and know the model? One line for each.
base::awaitable<findings> look_at_models(
    net::http_client& http, std::map<std::string, agent::model_options, std::less<>> const& models
);

// Could Telegram reach the address? `api_base` tells whether it is Telegram's own server that must.
base::awaitable<finding> look_at_public_url(std::string url, std::string api_base);

} // namespace postrider::cli
