#include "server/app/flow_services.hpp"

#include "agent/loop/prompt.hpp"
#include "agent/models/factory.hpp"
#include "agent/models/provider.hpp"
#include "server/start/model_prices.hpp"
#include "server/start/start_failure.hpp"

#include <algorithm>
#include <functional>

namespace postrider::server {

namespace {

using agent::flow::model_part;
using agent::flow::model_selection;

bool is_of(agent::model_options const& entry, std::string_view provider) {
    auto const names = agent::nodes_of(entry);
    return std::ranges::find(names, provider) != names.end();
}

agent::mcp::servers::clients clients_of(
    config const& settings, base::asio::any_io_executor const& executor, net::http_client& http
) {
    agent::mcp::servers::clients clients;
    for (auto const& [name, options] : settings.mcp_servers)
        clients.emplace(name, agent::mcp::make_client(executor, http, options));
    return clients;
}

} // namespace

flow_models::flow_models(
    config const& settings,
    net::http_client& http,
    base::clock& clock,
    telemetry::model_measures* measures,
    hanging_call* next_call
)
    : settings_(settings),
      http_(http),
      clock_(clock),
      measures_(measures),
      next_call_(next_call) {
    for (auto const& [name, options] : settings_.models) {
        auto const prices = prices_of(settings_, name, options.model);
        auto model = make(options, prices);
        if (!model) throw start_failure("cannot use model " + name + ": " + model.error().detail);
        models_.emplace(name, priced_model{std::move(*model), prices});
    }
}

bool flow_models::is_built_in(std::string const& name) const {
    return agent::find_provider(settings_.models.at(name).provider)->is_built_in();
}

base::result<std::unique_ptr<agent::model>> flow_models::make(
    agent::model_options options, agent::token_prices prices
) const {
    auto model = agent::make_model(std::move(options), http_, clock_);
    if (model && next_call_) model = next_call_->may_hang(std::move(*model));
    if (!model || !measures_) return model;
    return telemetry::measured(std::move(*model), prices, *measures_, clock_);
}

base::result<flow_models::priced_model const*> flow_models::renamed(
    std::string const& entry, std::string const& model
) {
    auto& cached = renamed_[{entry, model}];
    if (!cached.model) {
        auto options = settings_.models.at(entry);
        options.model = model;
        auto const prices = prices_of(settings_, entry, model);
        auto fresh = make(std::move(options), prices);
        if (!fresh) return fresh.error();
        cached = {std::move(*fresh), prices};
    }
    return &cached;
}

// Nobody's key and nobody's limits: what the configuration's entries are for.
base::result<model_part> flow_models::find_built_in(model_selection const& selection) {
    auto& cached = built_in_[selection.provider];
    if (!cached) {
        agent::model_options options;
        options.provider = selection.provider;
        auto model = make(std::move(options), {});
        if (!model) return model.error();
        cached = std::move(*model);
    }
    model_part part;
    part.model = cached.get();
    part.max_tokens = selection.max_tokens.value_or(part.max_tokens);
    part.temperature = selection.temperature;
    return part;
}

base::result<model_part> flow_models::find(model_selection const& selection) {
    auto part = find_usual(selection);
    if (part && next_call_) part->model = next_call_->choose(*part->model);
    return part;
}

base::result<model_part> flow_models::find_usual(model_selection const& selection) {
    auto const* owner = agent::find_provider(selection.provider);
    if (owner && owner->is_built_in()) return find_built_in(selection);
    auto const entry = settings_.models.find(selection.credential);
    if (entry == settings_.models.end())
        return base::error(
            base::errc::not_found, "no model is configured as " + selection.credential
        );
    auto const& options = entry->second;
    if (!selection.provider.empty() && !is_of(options, selection.provider))
        return base::error(
            base::errc::invalid,
            "the model " + selection.credential + " is of " + options.provider + ", not of " +
                selection.provider
        );
    priced_model const* requested = &models_.at(selection.credential);
    if (!selection.model.empty() && selection.model != options.model) {
        auto other = renamed(selection.credential, selection.model);
        if (!other) return other.error();
        requested = *other;
    }
    model_part part;
    part.model = requested->model.get();
    part.prices = requested->prices;
    part.max_tokens =
        std::min(selection.max_tokens.value_or(options.max_tokens), options.max_tokens);
    part.temperature = selection.temperature;
    part.stream = selection.stream.value_or(options.stream);
    part.timeout = options.timeout;
    auto const& limits = settings_.model_limits.at(selection.credential);
    part.breaker = limits.breaker;
    part.rate = limits.rate;
    return part;
}

tool_services::tool_services(
    base::asio::any_io_executor const& executor,
    config const& settings,
    bots const& bots,
    net::http_client& http,
    base::clock& clock
)
    : settings_(settings),
      bots_(bots),
      web_(
          net::make_http_client(executor, net::guarded_options()),
          net::make_http_client(executor, net::trusting_options())
      ),
      redis_(executor),
      started_at_(clock.now()),
      servers_(clock, clients_of(settings, executor, http)) {
    if (!settings.transcription) return;
    auto service = agent::make_transcriber(http, clock, *settings.transcription);
    if (!service) throw start_failure("transcription.base_url: " + service.error().detail);
    transcription_ = std::move(*service);
}

void tool_services::serve(agent::flow::node_services& services) {
    services.web = &web_;
    services.mail = &mail_;
    services.redis = &redis_;
    services.sessions = &sessions_;
    services.started_at = started_at_;
    services.tools = settings_.tools;
    services.credentials = &settings_.credentials;
    services.servers = &servers_;
    services.approval_timeout =
        std::chrono::ceil<std::chrono::milliseconds>(settings_.approval_timeout);
    services.transcription = transcription_.get();
    services.approvers = bots_.chats_of_approvers(settings_.approvers);
    services.approver_chats = std::bind_front(&bots::chats_of_approvers, &bots_);
    services.is_owner = std::bind_front(&bots::is_owner, &bots_);
    services.timezone_of = std::bind_front(&bots::timezone_of, &bots_);
}

base::awaitable<void> tool_services::close() {
    web_.close();
    mail_.close();
    redis_.close();
    co_await servers_.close();
}

std::unique_ptr<agent::embedder> make_embedder(
    config const& settings, prepared const& ready, net::http_client& http, base::clock& clock
) {
    if (!settings.embeddings || !ready.has_vectors) return nullptr;
    auto server = agent::make_embedder(*settings.embeddings, http, clock);
    if (!server) throw start_failure("cannot use embeddings.default: " + server.error().detail);
    return std::move(*server);
}

std::map<std::string, boost::json::object, std::less<>> agent_variables(config const& settings) {
    std::map<std::string, boost::json::object, std::less<>> variables;
    for (auto const& [name, from] : settings.agents) {
        boost::json::object agent;
        agent["name"] = name;
        agent["model"] = from.models.front();
        agent["backups"] = boost::json::array(from.models.begin() + 1, from.models.end());
        agent["persona"] = from.persona.empty() ? agent::default_persona : from.persona;
        agent["history"] = from.history;
        agent["history_slack"] = from.history_slack;
        agent["history_tokens"] = from.history_tokens;
        agent["max_tool_calls"] = from.max_tool_calls;
        agent["max_repeats"] = from.max_repeats;
        agent["max_tokens"] = settings.models.at(from.models.front()).max_tokens;
        agent["timezone"] = settings.timezone;
        if (!from.when_model_fails.empty()) agent["when_model_fails"] = from.when_model_fails;
        variables.emplace(name, std::move(agent));
    }
    return variables;
}

void configure(
    agent::flow::node_services& services, config const& settings, storage::database& db
) {
    services.agents = agent_variables(settings);
    services.began = services.clock.steady();
    services.chatbot = chatbot_variables(settings.chatbot);
    services.messages_per_minute = settings.messages_per_minute;
    services.audit_in_full = settings.audit_in_full;
    services.code = settings.code;
    if (!settings.budgets.empty()) services.budgets = agent::budgets{settings.budgets, &db};
}

} // namespace postrider::server
