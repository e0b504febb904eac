#include "server/config.hpp"

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
    agent::model_options made;
    made.provider = provider;
    made.model = own("model");
    made.base_url = own("base_url");
    if (!prefix.empty()) {
        made.timeout = std::chrono::round<std::chrono::milliseconds>(from.span(prefix + "timeout"));
        made.max_tokens = static_cast<int>(from.integer(prefix + "max_tokens"));
    }
    if (provider == "rules") return made;
    auto const vendor = provider + ".";
    made.model = first_of(made.model, from.text(vendor + "model"));
    made.api_key = base::secret(first_of(own("api_key"), from.text(vendor + "api_key")));
    made.base_url = first_of(made.base_url, from.text(vendor + "base_url"));
    if (provider == "openai")
        made.api = agent::openai_api_from_string(first_of(own("api"), from.text("openai.api")))
                       .value_or(agent::openai_api::responses);
    return made;
}

model_limits shared_limits(std::string const& name, std::string const& provider) {
    return {provider == "rules" ? "" : "provider:" + provider, "model:" + name, 0};
}

model_limits limits_of(settings const& from, std::string const& name, std::string const& provider) {
    auto const prefix = "models." + name + ".";
    auto made = shared_limits(name, provider);
    bool const own =
        !from.text(prefix + "base_url").empty() || !from.text(prefix + "api_key").empty();
    if (own && !made.breaker.empty()) made.breaker = made.rate;
    made.requests_per_minute = static_cast<int>(from.integer(prefix + "requests_per_minute"));
    return made;
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
    bot_config made;
    made.name = name;
    made.token = from.secret(prefix + "bot_token");
    made.webhook_secret = from.secret(prefix + "webhook_secret");
    made.api_base = from.text(prefix + "api_base");
    made.allowed_users = ids<user_id>(from, prefix + "allowed_users");
    made.allowed_chats = ids<chat_id>(from, prefix + "allowed_chats");
    made.owners = ids<user_id>(from, prefix + "owners");
    made.agent = from.text(prefix + "agent");
    made.sends_per_second = static_cast<int>(from.integer(prefix + "sends_per_second"));
    made.mailbox = from.text(prefix + "mailbox");
    made.debounce = from.span(prefix + "debounce");
    return made;
}

agent_config agent_of(settings const& from, std::string const& name) {
    auto const prefix = "agents." + name + ".";
    agent_config made;
    made.model = from.text(prefix + "model");
    made.history = static_cast<int>(from.integer(prefix + "history"));
    made.max_tool_calls = static_cast<int>(from.integer(prefix + "max_tool_calls"));
    made.persona = from.text(prefix + "persona");
    return made;
}

config to_config(settings const& from, settings const& defaults) {
    config made;
    made.data = from.text("data");
    made.database_url = from.text("database.url");
    made.prepared = from.text("database.prepared") == "true";
    made.listen_to_others = from.text("database.listen") == "true";
    made.listen = from.text("server.listen");
    made.public_url = from.text("server.public_url");
    made.trusted_proxies = from.words("server.trusted_proxies");
    made.admin_token = from.secret("server.admin_token");
    made.log_level = level_from(from.text("log.level"));
    made.log_format =
        from.text("log.format") == "json" ? base::log::format::json : base::log::format::logfmt;

    for (auto const& name : from.names("bots")) made.bots.push_back(bot_of(from, name));
    auto const by_keys = provider_by_keys(from, defaults);
    made.models["default"] = model_of(from, by_keys, "");
    made.model_limits["default"] = shared_limits("default", by_keys);
    for (auto const& name : from.names("models")) {
        auto prefix = "models." + name + ".";
        auto provider = first_of(from.text(prefix + "provider"), by_keys);
        made.models[name] = model_of(from, provider, prefix);
        made.model_limits[name] = limits_of(from, name, provider);
        made.model_prices[name] = {
            from.integer("models." + name + ".input_price"),
            from.integer("models." + name + ".output_price")};
    }
    for (auto const& name : from.names("agents")) made.agents[name] = agent_of(from, name);

    for (auto const& name : from.names("secrets"))
        made.secrets[name] = from.secret("secrets." + name + ".value");

    made.slots = static_cast<int>(from.integer("engine.slots"));
    made.drain_timeout = from.span("engine.drain_timeout");
    made.keep_inbox = from.span("retention.inbox");
    made.keep_rejected = from.span("retention.rejected");
    made.keep_jobs = from.span("retention.jobs");
    made.keep_messages = from.span("retention.messages");
    made.faults = from.text("faults");
    return made;
}

// What no single row of the table can tell.
class reviewer {
public:
    reviewer(config const& made, std::vector<std::string>& problems)
        : made_(made),
          problems_(problems) {}

    void review() {
        if (!is_listen_address(made_.listen))
            complain(
                "server.listen: '{}' is no address; write host:port or unix:/path", made_.listen
            );
        auto proxies = net::trusted_proxies::parse(made_.trusted_proxies);
        if (!proxies) complain("server.trusted_proxies: {}", proxies.error().detail);
        if (!made_.public_url.empty()) review_url("server.public_url", made_.public_url);
        for (auto const& bot : made_.bots) review_bot(bot);
        for (auto const& [name, model] : made_.models) review_model(name, model);
        for (auto const& [name, secret] : made_.secrets) review_secret(name, secret);
        for (auto const& [name, agent] : made_.agents)
            if (!made_.models.contains(agent.model))
                complain(
                    "agents.{}.model: there is no [models.{}]{}",
                    name,
                    agent.model,
                    hint(agent.model, made_.models)
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
        if (!made_.agents.contains(bot.agent))
            complain(
                "{}agent: there is no [agents.{}]{}",
                prefix,
                bot.agent,
                hint(bot.agent, made_.agents)
            );
        for (auto const& other : made_.bots)
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

    config const& made_;
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
    loaded_config made{to_config(loaded.values, defaults.values), loaded.values.effective(), {}};
    made.problems = std::move(loaded.problems);
    reviewer(made.values, made.problems).review();
    std::erase_if(made.values.bots, [](bot_config const& bot) { return bot.token.empty(); });
    return made;
}

} // namespace postrider::server
