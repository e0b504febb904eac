#include "server/start/model_settings.hpp"

#include "agent/models/provider.hpp"
#include "net/http_client.hpp"

namespace postrider::server {

namespace {

using base::settings;

std::string first_of(std::string const& a, std::string const& b) {
    return a.empty() ? b : a;
}

bool same_origin(std::string const& left, std::string const& right) {
    auto const a = net::parse_base_url(left);
    auto const b = net::parse_base_url(right);
    return a && b && a->origin == b->origin;
}

// [models.NAME] with its provider's settings behind it.
class model_reader {
public:
    model_reader(settings const& values, agent::provider const& owner, std::string const& name)
        : from_(values),
          owner_(owner),
          own_(name.empty() ? "" : "models." + name + "."),
          shared_(std::string(owner.name) + ".") {}

    agent::model_options options() const {
        agent::model_options options;
        options.provider = owner_.name;
        options.model = first("model");
        options.base_url = own("base_url");
        if (!own_.empty()) {
            options.timeout =
                std::chrono::round<std::chrono::milliseconds>(from_.span(own_ + "timeout"));
            options.max_tokens = static_cast<int>(from_.integer(own_ + "max_tokens"));
            options.stream =
                agent::chosen(agent::streaming_choices(), own("stream")).value_or(options.stream);
            if (auto const vision = own("vision"); !vision.empty())
                options.has_vision = vision == "true";
            if (auto const tools = own("tools"); !tools.empty())
                options.takes_tools = tools == "true";
        }
        if (owner_.is_built_in()) return options;
        options.base_url = first("base_url");
        options.api = first("api");
        options.version = shared("version");
        auto const key = own("api_key");
        if (!key.empty())
            options.api_key = base::secret(key);
        else if (may_share_key())
            options.api_key = base::secret(shared("api_key"));
        return options;
    }

    bool withholds_key() const {
        return own("api_key").empty() && !shared("api_key").empty() && !may_share_key();
    }

private:
    std::string own(std::string_view key) const {
        return own_.empty() ? std::string{} : from_.text(own_ + std::string(key));
    }
    std::string shared(std::string_view key) const {
        auto const name = shared_ + std::string(key);
        return from_.has(name) ? from_.text(name) : std::string{};
    }
    std::string first(std::string_view key) const { return first_of(own(key), shared(key)); }

    // The provider's key goes to the provider's address: the vendor's, or what is written beside
    // the key.
    bool may_share_key() const {
        auto const address = own("base_url");
        return address.empty() || is_vendors(owner_, address) ||
               same_origin(address, shared("base_url")) || own("share_key") == "true";
    }

    settings const& from_;
    agent::provider const& owner_;
    std::string own_;
    std::string shared_;
};

// US cents in the file; US dollars here.
configured_prices read_prices(settings const& values, std::string const& name) {
    auto const dollars = [&](std::string_view key) -> std::optional<double> {
        auto const row = "models." + name + "." + std::string(key);
        if (values.text(row).empty()) return std::nullopt;
        return static_cast<double>(values.integer(row)) / 100;
    };
    return {dollars("input_price"), dollars("cached_price"), dollars("output_price")};
}

model_limits shared_limits(std::string const& name, agent::provider const& owner) {
    return {owner.is_built_in() ? "" : "provider:" + std::string(owner.name), "model:" + name, 0};
}

model_limits limits_of(
    settings const& values, std::string const& name, agent::provider const& owner
) {
    auto const prefix = "models." + name + ".";
    auto limits = shared_limits(name, owner);
    bool const own =
        !values.text(prefix + "base_url").empty() || !values.text(prefix + "api_key").empty();
    if (own && !limits.breaker.empty()) limits.breaker = limits.rate;
    limits.requests_per_minute = static_cast<int>(values.integer(prefix + "requests_per_minute"));
    return limits;
}

// Nobody said which provider is the default: the keys that are present do, and then an address that
// needs none.
agent::provider const& provider_by_keys(settings const& values, settings const& defaults) {
    auto const text = [](settings const& layer, agent::provider const& of, std::string_view key) {
        auto const row = std::string(of.name) + "." + std::string(key);
        return layer.has(row) ? layer.text(row) : std::string{};
    };
    for (auto const* provider : agent::providers())
        if (!text(values, *provider, "api_key").empty()) return *provider;
    for (auto const* provider : agent::providers()) {
        bool const elsewhere =
            text(values, *provider, "base_url") != text(defaults, *provider, "base_url");
        if (!provider->needs_key && elsewhere) return *provider;
    }
    return *agent::providers().back();
}

} // namespace

void read_models(settings const& values, settings const& defaults, config& into) {
    auto const& by_keys = provider_by_keys(values, defaults);
    into.models["default"] = model_reader(values, by_keys, "").options();
    into.model_limits["default"] = shared_limits("default", by_keys);
    for (auto const& name : values.names("models")) {
        // Another name than the table's is a problem of its own.
        auto const* named = agent::find_provider(values.text("models." + name + ".provider"));
        auto const& owner = named ? *named : by_keys;
        model_reader const reader(values, owner, name);
        into.models[name] = reader.options();
        into.model_limits[name] = limits_of(values, name, owner);
        into.model_prices[name] = read_prices(values, name);
        if (reader.withholds_key()) into.withheld_keys.push_back(name);
    }
    into.lacks_model =
        by_keys.is_built_in() && std::ranges::all_of(into.models, [](auto const& model) {
            return agent::find_provider(model.second.provider)->is_built_in();
        });
}

void add_model_entry(
    settings const& values,
    std::string const& entry,
    std::string const& name,
    bool is_usual,
    config& into
) {
    auto const copy = [&](std::string const& other) {
        into.models[entry] = into.models.at(other);
        into.model_limits[entry] = into.model_limits.at(other);
        if (auto const prices = into.model_prices.find(other); prices != into.model_prices.end())
            into.model_prices[entry] = prices->second;
    };
    if (into.models.contains(name)) return copy(name);
    auto const has_key = [&](agent::provider const& owner) {
        auto const row = std::string(owner.name) + ".api_key";
        return values.has(row) && !values.text(row).empty();
    };
    auto const& usual = *agent::find_provider(into.models.at("default").provider);
    auto const* vendor = &usual;
    for (auto const* provider : agent::providers())
        if (find_known_model(*provider, current_name(*provider, name))) vendor = provider;
    if (vendor != &usual && has_key(*vendor)) {
        into.models[entry] = model_reader(values, *vendor, "").options();
        into.model_limits[entry] = shared_limits(entry, *vendor);
    } else {
        copy("default");
        bool const keeps_name = usual.is_built_in() || (vendor != &usual && is_usual);
        if (keeps_name) return;
        into.model_prices.erase(entry); // they are those of another model
    }
    into.models[entry].model = name;
}

} // namespace postrider::server
