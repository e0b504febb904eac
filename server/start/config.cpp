#include "server/start/config.hpp"

#include "net/forwarded.hpp"
#include "net/http_client.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

namespace postrider::server {

namespace {

using base::settings;

template<class Id>
std::vector<Id> ids(settings const& from, std::string_view key) {
    std::vector<Id> all;
    for (auto number : from.numbers(key)) all.push_back(Id{number});
    return all;
}

base::log::level level_from(std::string_view name) {
    if (name == "debug") return base::log::level::debug;
    if (name == "warn") return base::log::level::warn;
    if (name == "error") return base::log::level::error;
    return base::log::level::info;
}

std::string first_of(std::string const& a, std::string const& b) {
    return a.empty() ? b : a;
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

// What the configuration says of a model, with the provider's own keys behind it.
agent::model_options model_of(
    settings const& from, std::string const& provider, std::string const& prefix
) {
    auto own = [&](std::string_view key) {
        return prefix.empty() ? std::string{} : from.text(prefix + std::string(key));
    };
    agent::model_options options;
    options.provider = provider;
    options.model = own("model");
    options.base_url = own("base_url");
    if (!prefix.empty()) {
        options.timeout =
            std::chrono::round<std::chrono::milliseconds>(from.span(prefix + "timeout"));
        options.max_tokens = static_cast<int>(from.integer(prefix + "max_tokens"));
    }
    if (provider == "rules") return options;
    auto const vendor = provider + ".";
    options.model = first_of(options.model, from.text(vendor + "model"));
    options.api_key = base::secret(first_of(own("api_key"), from.text(vendor + "api_key")));
    options.base_url = first_of(options.base_url, from.text(vendor + "base_url"));
    if (provider == "openai")
        options.api = agent::openai_api_from_string(first_of(own("api"), from.text("openai.api")))
                          .value_or(agent::openai_api::responses);
    return options;
}

model_limits shared_limits(std::string const& name, std::string const& provider) {
    return {provider == "rules" ? "" : "provider:" + provider, "model:" + name, 0};
}

model_limits limits_of(settings const& from, std::string const& name, std::string const& provider) {
    auto const prefix = "models." + name + ".";
    auto limits = shared_limits(name, provider);
    bool const own =
        !from.text(prefix + "base_url").empty() || !from.text(prefix + "api_key").empty();
    if (own && !limits.breaker.empty()) limits.breaker = limits.rate;
    limits.requests_per_minute = static_cast<int>(from.integer(prefix + "requests_per_minute"));
    return limits;
}

// Nobody said which provider is the default: the keys that are present do.
std::string provider_by_keys(settings const& from, settings const& defaults) {
    if (!from.text("anthropic.api_key").empty()) return "anthropic";
    if (!from.text("openai.api_key").empty()) return "openai";
    bool const compatible = from.text("openai.base_url") != defaults.text("openai.base_url");
    return compatible ? "openai" : "rules";
}

bot_config bot_of(settings const& from, std::string const& name) {
    auto const prefix = "bots." + name + ".";
    bot_config bot;
    bot.name = name;
    bot.token = from.secret(prefix + "bot_token");
    bot.webhook_secret = from.secret(prefix + "webhook_secret");
    bot.api_base = from.text(prefix + "api_base");
    bot.allowed_users = ids<user_id>(from, prefix + "allowed_users");
    bot.allowed_chats = ids<chat_id>(from, prefix + "allowed_chats");
    bot.owners = ids<user_id>(from, prefix + "owners");
    bot.agent = from.text(prefix + "agent");
    bot.sends_per_second = static_cast<int>(from.integer(prefix + "sends_per_second"));
    bot.mailbox = from.text(prefix + "mailbox");
    bot.debounce = from.span(prefix + "debounce");
    return bot;
}

agent_config agent_of(settings const& from, std::string const& name) {
    auto const prefix = "agents." + name + ".";
    agent_config agent;
    agent.model = from.text(prefix + "model");
    agent.history = static_cast<int>(from.integer(prefix + "history"));
    agent.max_tool_calls = static_cast<int>(from.integer(prefix + "max_tool_calls"));
    agent.persona = from.text(prefix + "persona");
    return agent;
}

config to_config(settings const& from, settings const& defaults) {
    config config;
    config.data = from.text("data");
    config.database_url = from.text("database.url");
    config.prepared = from.text("database.prepared") == "true";
    config.listen_to_others = from.text("database.listen") == "true";
    config.listen = from.text("server.listen");
    config.public_url = from.text("server.public_url");
    config.trusted_proxies = from.words("server.trusted_proxies");
    config.admin_token = from.secret("server.admin_token");
    config.log_level = level_from(from.text("log.level"));
    config.log_format =
        from.text("log.format") == "json" ? base::log::format::json : base::log::format::logfmt;

    for (auto const& name : from.names("bots")) config.bots.push_back(bot_of(from, name));
    auto const by_keys = provider_by_keys(from, defaults);
    config.models["default"] = model_of(from, by_keys, "");
    config.model_limits["default"] = shared_limits("default", by_keys);
    for (auto const& name : from.names("models")) {
        auto prefix = "models." + name + ".";
        auto provider = first_of(from.text(prefix + "provider"), by_keys);
        config.models[name] = model_of(from, provider, prefix);
        config.model_limits[name] = limits_of(from, name, provider);
        config.model_prices[name] = {
            from.integer("models." + name + ".input_price"),
            from.integer("models." + name + ".output_price")};
    }
    for (auto const& name : from.names("agents")) config.agents[name] = agent_of(from, name);

    for (auto const& name : from.names("secrets"))
        config.secrets[name] = from.secret("secrets." + name + ".value");

    config.slots = static_cast<int>(from.integer("engine.slots"));
    config.drain_timeout = from.span("engine.drain_timeout");
    config.keep_inbox = from.span("retention.inbox");
    config.keep_rejected = from.span("retention.rejected");
    config.keep_jobs = from.span("retention.jobs");
    config.keep_messages = from.span("retention.messages");
    config.faults = from.text("faults");
    return config;
}

// What no single row of the table can tell.
class reviewer {
public:
    reviewer(server::config const& config, std::vector<std::string>& problems)
        : config_(config),
          problems_(problems) {}

    void review() {
        if (!is_listen_address(config_.listen))
            complain(
                "server.listen: '{}' is no address; write host:port or unix:/path", config_.listen
            );
        auto proxies = net::trusted_proxies::parse(config_.trusted_proxies);
        if (!proxies) complain("server.trusted_proxies: {}", proxies.error().detail);
        if (!config_.public_url.empty()) review_url("server.public_url", config_.public_url);
        for (auto const& bot : config_.bots) review_bot(bot);
        for (auto const& [name, model] : config_.models) review_model(name, model);
        for (auto const& [name, secret] : config_.secrets) review_secret(name, secret);
        for (auto const& [name, agent] : config_.agents)
            if (!config_.models.contains(agent.model))
                complain(
                    "agents.{}.model: there is no [models.{}]{}",
                    name,
                    agent.model,
                    hint(agent.model, config_.models)
                );
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
        if (!config_.agents.contains(bot.agent))
            complain(
                "{}agent: there is no [agents.{}]{}",
                prefix,
                bot.agent,
                hint(bot.agent, config_.agents)
            );
        for (auto const& other : config_.bots)
            if (other.name < bot.name && !bot.token.empty() &&
                other.token.reveal() == bot.token.reveal())
                complain("{}bot_token: it is that of bots.{}, too", prefix, other.name);
    }

    void review_model(std::string const& name, agent::model_options const& model) {
        if (model.provider == "rules") return;
        review_url("models." + name + ".base_url", model.base_url);
        if (model.api_key.empty() && model.provider == "anthropic")
            complain("models.{}: needs ANTHROPIC_API_KEY or an api_key of its own", name);
        if (model.api_key.empty() && model.provider == "openai" &&
            model.base_url.starts_with("https://api.openai.com"))
            complain("models.{}: needs OPENAI_API_KEY or an api_key of its own", name);
    }

    void review_secret(std::string const& name, base::secret const& secret) {
        if (!is_word(name, 64))
            complain("secrets.{}: a name is up to 64 of A-Z, a-z, 0-9, _ and -", name);
        if (secret.empty()) complain("secrets.{}: it needs a value or a value_file", name);
    }

    template<class Named>
    static std::string hint(std::string const& name, Named const& all) {
        std::vector<std::string> known;
        for (auto const& [key, value] : all) known.push_back(key);
        auto meant = base::nearest(name, known);
        return meant.empty() ? "" : "; did you mean " + meant + "?";
    }

    config const& config_;
    std::vector<std::string>& problems_;
};

} // namespace

loaded_config load_config(config_sources const& sources) {
    base::settings_sources layers;
    layers.flags = sources.flags;
    layers.environment = sources.environment;
    layers.reserved_prefix = own_prefix;
    layers.file = sources.file.empty() ? "postrider.toml" : sources.file;
    layers.file_required = !sources.file.empty();

    auto loaded = base::load_settings(settings_table(), layers);
    auto defaults = base::load_settings(settings_table(), {});
    loaded_config config{to_config(loaded.values, defaults.values), loaded.values.effective(), {}};
    config.problems = std::move(loaded.problems);
    reviewer(config.values, config.problems).review();
    std::erase_if(config.values.bots, [](bot_config const& bot) { return bot.token.empty(); });
    return config;
}

} // namespace postrider::server
