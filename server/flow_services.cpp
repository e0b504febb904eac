#include "server/flow_services.hpp"

#include "agent/prompt.hpp"
#include "server/start_up.hpp"

#include <algorithm>

namespace postrider::server {

namespace {

using agent::flow::model_part;
using agent::flow::model_wish;

bool is_of(agent::model_options const& entry, std::string_view provider) {
    auto const providers = providers_of(entry);
    return std::ranges::find(providers, provider) != providers.end();
}

} // namespace

std::vector<std::string> providers_of(agent::model_options const& entry) {
    std::vector<std::string> all{entry.provider};
    // OpenAI's Chat Completions others speak, too.
    if (entry.provider == "openai" && entry.api == agent::openai_api::chat)
        all.emplace_back("compatible");
    return all;
}

flow_models::flow_models(config const& settings, net::http_client& http, base::clock& clock)
    : settings_(settings),
      http_(http),
      clock_(clock) {
    for (auto const& [name, how] : settings_.models) {
        auto made = agent::make_model(how, http_, clock_);
        if (!made) throw start_failure("cannot use model " + name + ": " + made.error().detail);
        models_.emplace(name, std::move(*made));
    }
}

base::result<model_part> flow_models::find(model_wish const& wish) {
    auto const entry = settings_.models.find(wish.credential);
    if (entry == settings_.models.end())
        return base::error(base::errc::not_found, "no model is configured as " + wish.credential);
    auto const& options = entry->second;
    if (!wish.provider.empty() && !is_of(options, wish.provider))
        return base::error(
            base::errc::invalid,
            "the model " + wish.credential + " is of " + options.provider + ", not of " +
                wish.provider
        );
    model_part made;
    made.model = models_.at(wish.credential).get();
    if (!wish.model.empty() && wish.model != options.model) {
        auto& renamed = renamed_[{wish.credential, wish.model}];
        if (!renamed) {
            auto changed = options;
            changed.model = wish.model;
            auto model = agent::make_model(std::move(changed), http_, clock_);
            if (!model) return model.error();
            renamed = std::move(*model);
        }
        made.model = renamed.get();
    }
    made.max_tokens = std::min(wish.max_tokens.value_or(options.max_tokens), options.max_tokens);
    made.temperature = wish.temperature;
    auto const price = settings_.model_prices.find(wish.credential);
    if (price != settings_.model_prices.end()) {
        made.input_price = static_cast<double>(price->second.input) / 100;
        made.output_price = static_cast<double>(price->second.output) / 100;
    }
    auto const& limits = settings_.model_limits.at(wish.credential);
    made.breaker = limits.breaker;
    made.rate = limits.rate;
    return made;
}

std::map<std::string, boost::json::object, std::less<>> agent_variables(config const& settings) {
    std::map<std::string, boost::json::object, std::less<>> all;
    for (auto const& [name, from] : settings.agents) {
        boost::json::object made;
        made["name"] = name;
        made["model"] = from.model;
        made["persona"] = from.persona.empty() ? agent::default_persona : from.persona;
        made["history"] = from.history;
        made["max_tool_calls"] = from.max_tool_calls;
        made["max_tokens"] = settings.models.at(from.model).max_tokens;
        all.emplace(name, std::move(made));
    }
    return all;
}

} // namespace postrider::server
