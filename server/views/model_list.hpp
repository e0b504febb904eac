#pragma once
// The models that the configuration can reach: what each of its servers lists, and of vendors that
// cannot be asked, or list nothing, what ships with the product.
#include "agent/models/provider.hpp"
#include "server/start/config.hpp"
#include "server/views/model_trial.hpp"

#include <boost/json/object.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace postrider::server {

struct listed_model {
    std::string name; // as its server calls it
    std::string provider;
    agent::known_model const* known = nullptr; // null: nothing but its name
    std::optional<bool> vision = {};           // as configured, else as known; nothing: not known
    std::optional<bool> tools = {};            // likewise
    agent::token_prices prices = {};           // US dollars; zeros: not known
    std::vector<std::string> entries = {};     // of [models.NAME] that ask it, sorted
};

struct model_list {
    std::vector<listed_model> models;  // by provider and name
    std::vector<std::string> failures; // of servers that could not be asked, for people
};

// Asks all servers at once and waits five seconds at most.
base::awaitable<model_list> list_models(
    config const& settings, net::http_client& http, base::clock& clock
);

// {"models": […], "failures": […]}; prices in US cents for a million tokens.
boost::json::object to_json(model_list const& list);

// The list of one process, asked for again after an hour, or five minutes where a server failed. On
// the executor's thread; all outlive it.
class model_directory {
public:
    model_directory(config const& settings, net::http_client& http, base::clock& clock)
        : settings_(settings),
          http_(http),
          clock_(clock) {}

    base::awaitable<std::shared_ptr<model_list const>> read();

    // An entry of [models]; the next two are about one.
    bool has(std::string const& entry) const { return settings_.models.contains(entry); }
    storage::spending most_of_trial(std::string const& entry) const {
        return server::most_of_trial(settings_, entry);
    }
    // Asks it, whatever the list says.
    base::awaitable<model_trial> try_out(std::string entry);

private:
    config const& settings_;
    net::http_client& http_;
    base::clock& clock_;
    std::shared_ptr<model_list const> last_;
    base::steady_time good_until_{};
};

} // namespace postrider::server
