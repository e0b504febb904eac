#include "agent/models/factory.hpp"

#include "agent/models/providers.hpp"

namespace postrider::agent {

namespace {

using factory =
    std::unique_ptr<model> (*)(model_options, net::base_url, net::http_client&, base::clock&);

base::result<std::unique_ptr<model>> over_http(
    factory make, model_options options, net::http_client& client, base::clock& clock
) {
    auto base = net::parse_base_url(options.base_url);
    if (!base) return base.error();
    return make(std::move(options), *std::move(base), client, clock);
}

model_options completed(model_options options) {
    if (options.model.empty()) options.model = default_model(options.provider);
    if (!options.base_url.empty()) return options;
    if (options.provider == "anthropic") options.base_url = "https://api.anthropic.com";
    if (options.provider == "openai") options.base_url = "https://api.openai.com/v1";
    return options;
}

base::error unknown(model_options const& options) {
    return {base::errc::invalid, "unknown model provider: " + options.provider};
}

} // namespace

std::optional<openai_api> openai_api_from_string(std::string_view name) noexcept {
    if (name == "responses") return openai_api::responses;
    if (name == "chat") return openai_api::chat;
    return std::nullopt;
}

std::string_view default_model(std::string_view provider) noexcept {
    if (provider == "anthropic") return "claude-haiku-4-5";
    if (provider == "openai") return "gpt-4o-mini";
    if (provider == "rules") return "builtin";
    return {};
}

base::result<std::unique_ptr<model>> make_model(
    model_options options, net::http_client& client, base::clock& clock
) {
    options = completed(std::move(options));
    if (options.provider == "rules") return make_rules();
    if (options.provider == "anthropic")
        return over_http(make_anthropic, std::move(options), client, clock);
    if (options.provider == "openai") {
        auto make = options.api == openai_api::chat ? make_openai_chat : make_openai_responses;
        return over_http(make, std::move(options), client, clock);
    }
    return unknown(options);
}

base::awaitable<base::result<void>> probe_model(
    model_options options, net::http_client& client, base::clock& clock
) {
    options = completed(std::move(options));
    if (options.provider == "rules") co_return base::result<void>{};
    auto probe = options.provider == "anthropic" ? probe_anthropic : probe_openai;
    if (options.provider != "anthropic" && options.provider != "openai") co_return unknown(options);
    auto base = net::parse_base_url(options.base_url);
    if (!base) co_return base.error();
    co_return co_await probe(std::move(options), *std::move(base), client, clock);
}

} // namespace postrider::agent
