// The Messages API: POST {base}/v1/messages.
#include "agent/describe/folded_text.hpp"
#include "agent/models/anthropic_wire.hpp"
#include "agent/models/errors.hpp"

#include <array>

namespace postrider::agent {

namespace {

using base::setting;
using enum base::setting_type;

constexpr std::string_view anthropic_default_model = "claude-haiku-4-5";
constexpr std::string_view anthropic_address = "https://api.anthropic.com";

constexpr std::array anthropic_settings{
    setting{
        "anthropic.api_key",
        "ANTHROPIC_API_KEY",
        secret,
        "",
        "",
        "API key. If it is set, Anthropic is the default provider."},
    setting{
        "anthropic.model",
        "ANTHROPIC_MODEL",
        text,
        anthropic_default_model,
        "",
        "Model for each `[models.NAME]` of this provider that names none."},
    setting{
        "anthropic.base_url",
        "ANTHROPIC_BASE_URL",
        url,
        anthropic_address,
        "",
        "Address of the API, without `/v1`. The API key is sent to it."},
    setting{
        "anthropic.version",
        "ANTHROPIC_VERSION",
        text,
        anthropic::newest_version,
        "2026-10-21|2023-06-01",
        R"(
            Version of the API. 2026-10-21 rejects any temperature, so postrider sends none.
        )"_folded},
};

constexpr std::array anthropic_models{
    known_model{"claude-haiku-4-5", 200'000, 64'000, 100, 500},
    known_model{"claude-haiku-5-5", 1'000'000, 128'000, 10, 50},
    known_model{
        .name = "claude-sonnet-5-5",
        .input_price = 200,
        .output_price = 1000,
        .cached = 0.05,
        .forced_tools = false},
    known_model{
        .name = "claude-opus-5-5",
        .input_price = 400,
        .output_price = 2000,
        .cached = 0.05,
        .forced_tools = false},
    known_model{
        .name = "claude-fable-5-1",
        .input_price = 1000,
        .output_price = 5000,
        .cached = 0.025,
        .forced_tools = false},
    known_model{"claude-sonnet-5", 0, 0, 200, 1000},
    known_model{"claude-opus-5", 0, 0, 500, 2500},
    known_model{
        .name = "claude-opus-4-5",
        .context = 200'000,
        .output = 64'000,
        .input_price = 500,
        .output_price = 2500,
        .successor = "claude-opus-5-5"},
    known_model{
        .name = "claude-sonnet-4-5",
        .context = 200'000,
        .output = 64'000,
        .input_price = 300,
        .output_price = 1500,
        .successor = "claude-sonnet-5-5"}};

// No more in the vendor's list of November 2026.
constexpr std::array former{
    former_name{"claude-3-haiku", "claude-haiku-5-5"},
    former_name{"claude-3-5-haiku", "claude-haiku-5-5"},
    former_name{"claude-3.5-sonnet", "claude-sonnet-5-5"},
    former_name{"claude-3-5-sonnet", "claude-sonnet-5-5"},
    former_name{"claude-3-7-sonnet", "claude-sonnet-5-5"},
    former_name{"claude-3-opus", "claude-opus-5-5"},
};

net::header_list anthropic_headers(model_options const& options) {
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

constexpr std::array anthropic_apis{
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
    .default_model = anthropic_default_model,
    .models = anthropic_models,
    .former = former,
    .most_temperature = 1,
    .settings = anthropic_settings,
    .address = anthropic_address,
    .needs_key = true,
    .apis = anthropic_apis,
    .headers = anthropic_headers,
    .normal_form = normal_form,
    .explain = anthropic_error,
    .cache = {.cached = 0.1, .written = 1.25},
};

} // namespace postrider::agent
