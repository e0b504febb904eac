// OpenAI's Responses API, POST {base}/responses, stateless; and Chat Completions, the dialect of
// compatible servers: POST {base}/chat/completions.
#include "agent/models/errors.hpp"
#include "agent/models/openai_wire.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

using base::setting;
using enum base::setting_type;

constexpr std::string_view openai_default_model = "gpt-4o-mini";
constexpr std::string_view openai_address = "https://api.openai.com/v1";

constexpr std::array openai_settings{
    setting{
        "openai.api_key",
        "OPENAI_API_KEY",
        secret,
        "",
        "",
        "API key. If it is set and Anthropic's is not, OpenAI is the default provider."},
    setting{
        "openai.model",
        "OPENAI_MODEL",
        text,
        openai_default_model,
        "",
        "Model for each `[models.NAME]` of this provider that names none."},
    setting{
        "openai.base_url",
        "OPENAI_BASE_URL",
        url,
        openai_address,
        "",
        R"(
            Address of the API, with `/v1`. The API key is sent to it; a compatible server
            needs none.
        )"_folded},
    setting{
        "openai.api",
        "OPENAI_API",
        text,
        "responses",
        "responses|chat",
        "API to use. `chat` is for compatible servers (Ollama, llama.cpp, vLLM)."},
};

constexpr std::array openai_models{
    known_model{"gpt-4o-mini", 128'000, 16'384, 15, 60},
    known_model{"gpt-4o", 128'000, 16'384, 250, 1000},
    known_model{"gpt-4.1-mini", 1'047'576, 32'768, 40, 160, 0.25},
    known_model{"gpt-4.1", 1'047'576, 32'768, 200, 800, 0.25},
    known_model{"gpt-6-luna", 0, 0, 10, 50},
    known_model{"gpt-6-sol", 0, 0, 200, 1000}};

// The list holds everything that the vendor serves.
bool converses(std::string_view model) {
    constexpr std::array<std::string_view, 11> excluded{
        "embedding",
        "tts",
        "whisper",
        "dall-e",
        "image",
        "audio",
        "realtime",
        "moderation",
        "transcribe",
        "sora",
        "instruct"};
    return std::ranges::none_of(excluded, [&](auto other) {
        return model.find(other) != model.npos;
    });
}

net::header_list openai_headers(model_options const& options) {
    net::header_list list;
    if (!options.api_key.empty()) list.add("Authorization", "Bearer " + options.api_key.reveal());
    return list;
}

std::string path_of_model(std::string_view model) {
    return "/models/" + std::string(model);
}

// Compatible servers list their models, but few know the address of a single one.
std::string path_of_list(std::string_view /*model*/) {
    return "/models";
}

constexpr std::array openai_apis{
    wire_api{
        .name = "responses",
        .path = "/responses",
        .request_body = openai::responses_body,
        .read_reply = openai::read_response,
        .stream = openai::responses_stream,
        .probe_path = path_of_model,
        .list_path = "/models"},
    wire_api{
        .name = "chat",
        .node = "compatible",
        .title = "Compatible model",
        .documentation = R"(
            A model behind a server that speaks OpenAI's Chat Completions: Ollama, llama.cpp, vLLM
            and many more. The server's address is the entry's `base_url`.)"_folded,
        .path = "/chat/completions",
        .request_body = openai::chat_body,
        .read_reply = openai::read_completion,
        .stream = openai::completion_stream_of,
        .probe_path = path_of_list,
        .list_path = "/models"},
};

} // namespace

extern constinit provider const openai_provider{
    .name = "openai",
    .title = "OpenAI model",
    .documentation = "A GPT model, asked over OpenAI's Responses API.",
    .default_model = openai_default_model,
    .models = openai_models,
    .most_temperature = 2,
    .settings = openai_settings,
    .address = openai_address,
    .apis = openai_apis,
    .headers = openai_headers,
    .explain = openai_error,
    .cache = {.cached = 0.5, .written = 1},
    .converses = converses,
};

} // namespace postrider::agent
