// The Messages API: POST {base}/v1/messages.
#include "agent/models/anthropic_wire.hpp"
#include "agent/models/errors.hpp"

#include <array>

namespace postrider::agent {

namespace {

using base::setting;
using enum base::setting_type;

constexpr std::string_view default_model = "claude-haiku-4-5";
constexpr std::string_view own_address = "https://api.anthropic.com";

constexpr std::array settings{
    setting{
        "anthropic.api_key",
        "ANTHROPIC_API_KEY",
        secret,
        "",
        "",
        "makes Anthropic the default provider"},
    setting{
        "anthropic.model",
        "ANTHROPIC_MODEL",
        text,
        default_model,
        "",
        "model of the provider `anthropic` where a model names none"},
    setting{
        "anthropic.base_url",
        "ANTHROPIC_BASE_URL",
        url,
        own_address,
        "",
        "without `/v1`; the key above is sent to it"},
    setting{
        "anthropic.version",
        "ANTHROPIC_VERSION",
        text,
        anthropic::newest_version,
        "2026-10-21|2023-06-01",
        "of the API; the newer one refuses any temperature, so none is sent"},
};

constexpr std::array models{
    known_model{"claude-haiku-4-5", 200'000, 64'000, 100, 500},
    known_model{"claude-haiku-5-5", 1'000'000, 128'000, 10, 50},
    known_model{"claude-sonnet-5-5", 0, 0, 200, 1000, 0.05},
    known_model{"claude-opus-5-5", 0, 0, 400, 2000, 0.05},
    known_model{"claude-fable-5-1", 0, 0, 1000, 5000, 0.025},
    known_model{"claude-sonnet-5", 0, 0, 200, 1000},
    known_model{"claude-opus-5", 0, 0, 500, 2500},
    known_model{"claude-opus-4-5", 200'000, 64'000, 500, 2500},
    known_model{"claude-sonnet-4-5", 200'000, 64'000, 300, 1500}};

net::header_list headers(model_options const& options) {
    auto const version =
        options.version.empty() ? std::string(anthropic::newest_version) : options.version;
    return {{"x-api-key", options.api_key.reveal()}, {"anthropic-version", version}};
}

// With and without the version.
net::base_url normal_form(net::base_url address) {
    if (address.path.ends_with("/v1")) address.path.resize(address.path.size() - 3);
    return address;
}

std::string probe_path(std::string_view model) {
    return "/v1/models/" + std::string(model);
}

constexpr std::array apis{
    wire_api{
        .name = "messages",
        .path = "/v1/messages",
        .request_body = anthropic::request_body,
        .read_reply = anthropic::read_reply,
        .stream = anthropic::stream_of,
        .probe_path = probe_path,
        .list_path = "/v1/models?limit=1000"},
};

} // namespace

extern constinit provider const anthropic_provider{
    .name = "anthropic",
    .title = "Anthropic model",
    .documentation = "A Claude model, asked over Anthropic's Messages API.",
    .default_model = default_model,
    .models = models,
    .most_temperature = 1,
    .settings = settings,
    .address = own_address,
    .needs_key = true,
    .apis = apis,
    .headers = headers,
    .normal_form = normal_form,
    .explain = anthropic_error,
    .cache = {.cached = 0.1, .written = 1.25},
};

} // namespace postrider::agent
