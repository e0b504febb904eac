#include "server/views/model_list.hpp"

#include "agent/models/factory.hpp"
#include "server/start/model_prices.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace postrider::server {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr std::chrono::milliseconds list_patience = 5s;
constexpr base::duration fresh_for = 1h;
constexpr base::duration retried_after = 5min;

// Entries that reach the same server with the same key are asked about once.
struct peer {
    std::vector<std::string> entries; // of [models.NAME]
    std::vector<std::string> names;
    std::string failure;
};

using peers = std::map<std::string, peer>;

peers peers_of(config const& settings) {
    peers result;
    for (auto const& [entry, options] : settings.models) {
        auto const key =
            fmt::format("{} {} {}", options.provider, options.base_url, options.api_key.reveal());
        result[key].entries.push_back(entry);
    }
    return result;
}

bool is_vendors_own(agent::provider const& owner, agent::model_options const& options) {
    return !owner.is_built_in() && is_vendors(owner, options.base_url);
}

base::awaitable<void> ask(
    config const& settings, net::http_client& http, base::clock& clock, peer& peer
) {
    auto options = settings.models.at(peer.entries.front());
    auto const& owner = *agent::find_provider(options.provider);
    options.timeout = list_patience;
    auto names = co_await agent::list_models(options, http, clock);
    if (names)
        peer.names = std::move(*names);
    else
        peer.failure = peer.entries.front() + ": " + base::to_string(names.error());
    if (peer.names.empty() && is_vendors_own(owner, options))
        for (auto const& model : owner.models) peer.names.emplace_back(model.name);
}

using model_key = std::pair<std::string, std::string>; // provider and name

class collection {
public:
    explicit collection(config const& settings) : settings_(settings) {}

    listed_model& add(std::string const& entry, std::string name) {
        auto const& options = settings_.models.at(entry);
        auto const& owner = *agent::find_provider(options.provider);
        if (name.empty()) name = owner.default_model;
        if (is_vendors_own(owner, options)) name = std::string(current_name(owner, name));
        auto& model = models_[{options.provider, name}];
        if (!model.name.empty()) return model;
        model = {name, options.provider};
        if (is_vendors_own(owner, options)) model.known = find_known_model(owner, name);
        if (model.known) model.vision = model.known->vision;
        if (model.known) model.tools = model.known->tools;
        model.prices = prices_of(settings_, entry, name);
        return model;
    }

    std::vector<listed_model> take() {
        std::vector<listed_model> all;
        for (auto& [key, model] : models_) all.push_back(std::move(model));
        return all;
    }

private:
    config const& settings_;
    std::map<model_key, listed_model> models_;
};

json::value price_or_null(double number) {
    return number > 0 ? json::value(number) : json::value();
}

json::object listed_json(listed_model const& model) {
    agent::known_model const unknown;
    auto const& facts = model.known ? *model.known : unknown;
    json::object result{{"name", model.name}, {"provider", model.provider}};
    result["tools"] = model.tools ? json::value(*model.tools) : json::value();
    result["vision"] = model.vision ? json::value(*model.vision) : json::value();
    result["context"] = price_or_null(facts.context);
    result["output"] = price_or_null(facts.output);
    result["price"] = nullptr;
    auto const& prices = model.prices;
    if (prices.input > 0 || prices.output > 0)
        result["price"] = {
            {"input", prices.input * 100},
            {"cached", prices.cached * 100},
            {"output", prices.output * 100}};
    result["entries"] = json::array(model.entries.begin(), model.entries.end());
    if (!facts.successor.empty()) result["successor"] = facts.successor;
    json::array replaced;
    for (auto const& former : agent::find_provider(model.provider)->former)
        if (former.now == model.name) replaced.emplace_back(former.name);
    if (!replaced.empty()) result["replaces"] = std::move(replaced);
    return result;
}

} // namespace

base::awaitable<model_list> list_models(
    config const& settings, net::http_client& http, base::clock& clock
) {
    auto model_peers = peers_of(settings);
    std::vector<base::awaitable<void>> asking;
    for (auto& [key, peer] : model_peers) asking.push_back(ask(settings, http, clock, peer));
    co_await base::run_together("models", std::move(asking));
    collection collected(settings);
    model_list list;
    for (auto& [key, peer] : model_peers) {
        for (auto& name : peer.names) collected.add(peer.entries.front(), std::move(name));
        if (!peer.failure.empty()) list.failures.push_back(std::move(peer.failure));
    }
    for (auto const& [entry, options] : settings.models) {
        auto& model = collected.add(entry, options.model);
        model.entries.push_back(entry);
        if (options.has_vision) model.vision = options.has_vision;
        if (options.takes_tools) model.tools = options.takes_tools;
    }
    list.models = collected.take();
    co_return list;
}

json::object to_json(model_list const& list) {
    json::array models;
    for (auto const& model : list.models) models.push_back(listed_json(model));
    json::array failures(list.failures.begin(), list.failures.end());
    return {{"models", std::move(models)}, {"failures", std::move(failures)}};
}

base::awaitable<std::shared_ptr<model_list const>> model_directory::read() {
    if (last_ && clock_.steady() < good_until_) co_return last_;
    auto list = co_await list_models(settings_, http_, clock_);
    good_until_ = clock_.steady() + (list.failures.empty() ? fresh_for : retried_after);
    last_ = std::make_shared<model_list const>(std::move(list));
    co_return last_;
}

base::awaitable<model_trial> model_directory::try_out(std::string entry) {
    return try_model(settings_, std::move(entry), http_, clock_);
}

} // namespace postrider::server
