#include "server/start/config.hpp"

#include "agent/models/provider.hpp"
#include "net/forwarded.hpp"
#include "net/host_pattern.hpp"
#include "net/http_client.hpp"
#include "server/start/budget_settings.hpp"
#include "server/start/credential_settings.hpp"
#include "server/start/embedding_settings.hpp"
#include "server/start/mcp_settings.hpp"
#include "server/start/model_settings.hpp"
#include "server/start/telemetry_settings.hpp"
#include "server/start/tool_settings.hpp"
#include "storage/client_environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace postrider::server {

namespace {

using base::settings;

template<class Id>
std::vector<Id> ids(settings const& values, std::string_view key) {
    std::vector<Id> all;
    for (auto number : values.numbers(key)) all.push_back(Id{number});
    return all;
}

base::log::level level_from(std::string_view name) {
    if (name == "debug") return base::log::level::debug;
    if (name == "warn") return base::log::level::warn;
    if (name == "error") return base::log::level::error;
    return base::log::level::info;
}

bool is_port(std::string_view text) {
    unsigned port = 0;
    auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), port);
    return !text.empty() && ec == std::errc{} && end == text.data() + text.size() && port <= 65535;
}

bool is_listen_address(std::string_view text) {
    if (text.starts_with("unix:")) return text.size() > 5;
    auto colon = text.rfind(':');
    return colon != text.npos && colon > 0 && is_port(text.substr(colon + 1));
}

// The bot of the environment: it may be without a token, and is none then.
constexpr std::string_view always_there = "main";

bool is_word(std::string_view text, std::size_t longest) {
    return !text.empty() && text.size() <= longest &&
           std::ranges::all_of(text, [](unsigned char c) {
               return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-');
           });
}

agent_config agent_of(settings const& values, std::string const& name) {
    auto const prefix = "agents." + name + ".";
    agent_config agent;
    if (auto models = values.words(prefix + "model"); !models.empty())
        agent.models = std::move(models);
    agent.history = static_cast<int>(values.integer(prefix + "history"));
    agent.history_slack = static_cast<int>(values.integer(prefix + "history_slack"));
    agent.history_tokens = static_cast<int>(values.integer(prefix + "history_tokens"));
    agent.max_tool_calls = static_cast<int>(values.integer(prefix + "max_tool_calls"));
    agent.max_repeats = static_cast<int>(values.integer(prefix + "max_repeats"));
    agent.persona = values.text(prefix + "persona");
    agent.when_model_fails = values.text(prefix + "when_model_fails");
    return agent;
}

void read_transcription(settings const& values, config& into) {
    agent::transcription_options options;
    options.base_url = values.text("transcription.base_url");
    if (options.base_url.empty()) return;
    options.api_key = values.secret("transcription.api_key");
    options.model = values.text("transcription.model");
    options.longest =
        std::chrono::duration_cast<std::chrono::seconds>(values.span("transcription.longest"));
    options.price_per_minute = values.integer("transcription.price_per_minute");
    for (auto& bot : into.bots) bot.longest_speech = options.longest;
    into.transcription = std::move(options);
}

config to_config(settings const& values, settings const& defaults) {
    config config;
    config.data = values.text("data");
    config.database_url = values.text("database.url");
    config.prepared = values.text("database.prepared") == "true";
    config.listen_to_others = values.text("database.listen") == "true";
    config.listen = values.text("server.listen");
    config.public_url = values.text("server.public_url");
    config.trusted_proxies = values.words("server.trusted_proxies");
    config.hosts = values.words("server.hosts");
    config.admin_token = values.secret("server.admin_token");
    config.log_level = level_from(values.text("log.level"));
    config.log_format =
        values.text("log.format") == "json" ? base::log::format::json : base::log::format::logfmt;

    for (auto const& name : values.names("bots")) config.bots.push_back(read_bot(values, name));
    read_models(values, defaults, config);
    read_chatbot(values, config);
    for (auto const& name : values.names("agents")) config.agents[name] = agent_of(values, name);

    for (auto const& name : values.names("secrets"))
        config.secrets[name] = values.secret("secrets." + name + ".value");

    config.approvers = ids<user_id>(values, "approvals.approvers");
    config.approval_timeout = values.span("approvals.timeout");
    config.audit_key = values.secret("audit.key");
    config.audit_in_full = values.text("audit.content") == "full";
    if (values.text("code.enabled") == "true")
        config.code = agent::flow::code_options{
            .node = values.text("code.node"), .python = values.text("code.python")};
    read_transcription(values, config);
    config.slots = static_cast<int>(values.integer("engine.slots"));
    config.drain_timeout = values.span("engine.drain_timeout");
    config.keep_inbox = values.span("retention.inbox");
    config.keep_rejected = values.span("retention.rejected");
    config.keep_jobs = values.span("retention.jobs");
    config.keep_messages = values.span("retention.messages");
    config.faults = values.text("faults");
    return config;
}

// What libpq would say, of what is shown of the URL anyway: no part of a password.
std::string told(storage::url_mistake const& mistake, std::string_view shown_url) {
    if (!mistake.unknown.empty() && shown_url.find(mistake.unknown + "=") != shown_url.npos)
        return fmt::format("has the parameter {}, which libpq does not know", mistake.unknown);
    auto const scheme = shown_url.substr(0, shown_url.find("://"));
    bool const is_url = scheme.size() < shown_url.size() && is_word(scheme, 20);
    bool const is_others = is_url && scheme != "postgresql" && scheme != "postgres";
    return fmt::format(
        "{}a URI like postgresql://USER@HOST/DATABASE, or a conninfo like \"host=HOST "
        "dbname=DATABASE\", is needed",
        is_others ? fmt::format("begins with {}://; ", scheme) : "is not understood by libpq: "
    );
}

// With the place that it comes from: the setting is read by libpq, which knows none.
void review_database_url(
    std::string const& url,
    std::vector<settings::line> const& effective,
    std::vector<std::string>& problems
) {
    auto const mistake = storage::mistake_in(url);
    if (!mistake) return;
    for (auto const& line : effective)
        if (line.key == "database.url")
            problems.push_back(
                fmt::format("{}: {} {}", line.source, line.key, told(*mistake, line.value))
            );
}

// What no single row of the table can tell.
class reviewer {
public:
    // `effective`: for the places that values come from.
    reviewer(
        server::config const& config,
        std::vector<settings::line> const& effective,
        std::vector<std::string>& problems
    )
        : config_(config),
          effective_(effective),
          problems_(problems) {}

    void review() {
        if (!is_listen_address(config_.listen))
            complain(
                "server.listen: '{}' is no address; write host:port or unix:/path", config_.listen
            );
        auto proxies = net::trusted_proxies::parse(config_.trusted_proxies);
        if (!proxies) complain("server.trusted_proxies: {}", proxies.error().detail);
        auto const& audit_key = config_.audit_key.reveal();
        if (!audit_key.empty() && (audit_key.size() < 32 || audit_key.size() > 64))
            complain("audit.key: 32 to 64 characters are needed");
        for (auto const& host : config_.hosts)
            if (!net::is_host_pattern(host)) complain("server.hosts: '{}' is no host", host);
        if (!config_.public_url.empty()) review_url("server.public_url", config_.public_url);
        for (auto const& bot : config_.bots) review_bot(bot);
        for (auto& problem : problems_of_ids(config_.chatbot))
            problems_.push_back(std::move(problem));
        for (auto const& [name, model] : config_.models) review_model(name, model);
        for (auto const& [name, secret] : config_.secrets) review_secret(name, secret);
        for (auto const& [name, agent] : config_.agents) review_agent(name, agent);
    }

private:
    template<class... Args>
    void complain(fmt::format_string<Args...> text, Args&&... args) {
        problems_.push_back(fmt::format(text, std::forward<Args>(args)...));
    }

    void review_url(std::string const& key, std::string const& url) {
        auto parsed = net::parse_base_url(url);
        if (!parsed) complain("{}: {}", key, parsed.error().detail);
    }

    // Its own, or else the provider's, which is told of once.
    void review_model_url(std::string const& name, agent::model_options const& model) {
        auto const parsed = net::parse_base_url(model.base_url);
        if (parsed) return;
        auto const own = "models." + name + ".base_url";
        auto const shared = model.provider + ".base_url";
        auto is_set = [](std::string const& key) {
            return [&key](settings::line const& line) {
                return line.key == key && !line.value.empty() && line.source != "default";
            };
        };
        auto line = std::ranges::find_if(effective_, is_set(own));
        if (line == effective_.end()) line = std::ranges::find_if(effective_, is_set(shared));
        if (line == effective_.end()) return complain("{}: {}", own, parsed.error().detail);
        auto complaint = fmt::format("{}: {}: {}", line->source, line->key, parsed.error().detail);
        if (std::ranges::find(problems_, complaint) == problems_.end())
            problems_.push_back(std::move(complaint));
    }

    // That [SECTION.NAME], which the key names, is among these.
    template<class Entries>
    void review_name(
        std::string const& key,
        std::string_view section,
        std::string const& name,
        Entries const& entries
    ) {
        if (entries.contains(name)) return;
        complain("{}: there is no [{}.{}]{}", key, section, name, hint(name, entries));
    }

    void review_bot(bot_config const& bot) {
        auto const prefix = "bots." + bot.name + ".";
        if (!is_word(bot.name, 64))
            complain("bots.{}: a name is up to 64 of A-Z, a-z, 0-9, _ and -", bot.name);
        if (bot.token.empty() && bot.name != always_there)
            complain("{}bot_token: a bot needs one", prefix);
        review_url(prefix + "api_base", bot.api_base);
        // Telegram's own rule for secret_token.
        auto const& secret = bot.webhook_secret.reveal();
        if (!secret.empty() && !is_word(secret, 256))
            complain("{}webhook_secret: up to 256 of A-Z, a-z, 0-9, _ and - are allowed", prefix);
        review_name(prefix + "agent", "agents", bot.agent, config_.agents);
        for (auto const& other : config_.bots)
            if (other.name < bot.name && !bot.token.empty() &&
                other.token.reveal() == bot.token.reveal())
                complain("{}bot_token: it is that of bots.{}, too", prefix, other.name);
    }

    void review_model(std::string const& name, agent::model_options const& model) {
        auto const& owner = *agent::find_provider(model.provider);
        if (owner.is_built_in()) return;
        review_model_url(name, model);
        if (!find_api(owner, model.api))
            complain("models.{}.api: {} has no API {}", name, owner.name, model.api);
        if (!model.api_key.empty()) return;
        if (!owner.needs_key && !is_vendors(owner, model.base_url)) return;
        if (std::ranges::find(config_.withheld_keys, name) != config_.withheld_keys.end())
            complain(
                "models.{}: base_url is another address than the provider's, which {}.api_key is "
                "for; "
                "give the model an api_key of its own, or say share_key = \"true\"",
                name,
                owner.name
            );
        else
            complain("models.{}: needs {} or an api_key of its own", name, key_variable(owner));
    }

    void review_agent(std::string const& name, agent_config const& agent) {
        if (agent.models.size() > agent::bounds::most_models)
            complain("agents.{}.model: at most {} are asked", name, agent::bounds::most_models);
        for (auto const& model : agent.models) {
            review_name("agents." + name + ".model", "models", model, config_.models);
            if (std::ranges::count(agent.models, model) > 1)
                complain("agents.{}.model: {} is named twice", name, model);
        }
    }

    void review_secret(std::string const& name, base::secret const& secret) {
        if (!is_word(name, 64))
            complain("secrets.{}: a name is up to 64 of A-Z, a-z, 0-9, _ and -", name);
        if (secret.empty()) complain("secrets.{}: it needs a value or a value_file", name);
    }

    template<class Named>
    static std::string hint(std::string const& name, Named const& entries) {
        std::vector<std::string> names;
        names.reserve(entries.size());
        for (auto const& [key, value] : entries) names.push_back(key);
        return base::suggestion(name, names);
    }

    config const& config_;
    std::vector<settings::line> const& effective_;
    std::vector<std::string>& problems_;
};

} // namespace

namespace {

// Whether a value that it sets is masked where settings are shown. NAME_FILE only names another file.
bool holds_secrets(base::environment_file file) {
    std::erase_if(file.values, [](auto const& set) { return set.first.ends_with("_FILE"); });
    base::settings_sources alone;
    alone.environment_file = std::move(file);
    auto const set = base::load_settings(settings_table(), alone).values;
    return std::ranges::any_of(set.effective(), [&](auto const& line) {
        return line.value != set.text(line.key);
    });
}

} // namespace

loaded_config load_config(config_sources const& sources) {
    base::settings_sources layers;
    layers.flags = sources.flags;
    layers.environment = sources.environment;
    layers.environment_file = sources.environment_file;
    layers.reserved_prefix = own_prefix;
    layers.file = sources.file.empty() ? "postrider.toml" : sources.file;
    layers.file_required = !sources.file.empty();

    auto loaded = base::load_settings(settings_table(), layers);
    auto defaults = base::load_settings(settings_table(), {});
    loaded_config config{
        to_config(loaded.values, defaults.values), loaded.values.effective(), {}, {}};
    auto const& file = sources.environment_file;
    if (file.others_may_read && holds_secrets(file)) config.exposed_file = file.path;
    config.problems = std::move(loaded.problems);
    review_database_url(config.values.database_url, config.effective, config.problems);
    read_embeddings(loaded.values, config.values, config.problems);
    read_credentials(loaded.values, config.values, config.problems);
    read_mcp_servers(loaded.values, config.values, config.problems);
    read_tools(loaded.values, config.values, config.problems);
    read_budgets(loaded.values, config.values, config.problems);
    read_telemetry(loaded.values, config.values, config.problems);
    for (auto& bot : config.values.bots)
        bot.messages_per_minute = config.values.messages_per_minute;
    reviewer(config.values, config.effective, config.problems).review();
    std::erase_if(config.values.bots, [](bot_config const& bot) { return bot.token.empty(); });
    return config;
}

} // namespace postrider::server
