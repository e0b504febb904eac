#pragma once
// The one place that turns configuration into a model: providers and models are swapped here, and
// nothing else in agent/ knows which one it talks to.
#include "agent/models/model.hpp"
#include "base/clock.hpp"
#include "base/secret.hpp"
#include "net/http_client.hpp"

namespace postrider::agent {

enum class openai_api {
    responses, // POST {base}/responses: OpenAI's own
    chat,      // POST {base}/chat/completions: compatible servers (Ollama, llama.cpp, vLLM, …)
};
std::optional<openai_api> openai_api_from_string(std::string_view name) noexcept;

struct model_options {
    std::string provider; // "anthropic", "openai" or "rules"
    std::string model;    // "" = default_model(provider)
    base::secret api_key; // may be empty: local servers want none
    // "" = the vendor's. Anthropic's is without /v1, OpenAI's with it, as in their own SDKs.
    std::string base_url;
    openai_api api = openai_api::responses;
    // Of one call. A backstop: the step that asks has a shorter one of its own.
    std::chrono::milliseconds timeout{120'000};
    int max_tokens = 8192; // upper bound of what a request may ask for
    std::string anthropic_version = "2026-10-21";
};

// "claude-haiku-4-5", "gpt-4o-mini", "builtin"; "" for an unknown provider.
std::string_view default_model(std::string_view provider) noexcept;

// The client and the clock must outlive the model. invalid: an unknown provider or a malformed URL.
base::result<std::unique_ptr<model>> make_model(
    model_options options, net::http_client& client, base::clock& clock
);

// Asks the provider about the model, which costs nothing: does it answer, take the key, know the
// name? A server that is only compatible with OpenAI's (openai_api::chat) is asked for its list:
// names there have aliases. Errors as those of chat(); invalid as above.
base::awaitable<base::result<void>> probe_model(
    model_options options, net::http_client& client, base::clock& clock
);

} // namespace postrider::agent
