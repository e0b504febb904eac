#include "server/start/embedding_settings.hpp"

#include "agent/describe/folded_text.hpp"

namespace postrider::server {

namespace {

using base::settings;
using agent::operator""_folded; // NOLINT(misc-unused-using-decls): clang-tidy passes over literals
using enum base::setting_type;

constexpr std::string_view used_entry = "default";

} // namespace

std::vector<base::setting> embedding_rows() {
    return {
        {"embeddings.*.provider",
         "",
         text,
         "openai",
         "openai|ollama",
         "API of the server: OpenAI's, which many servers speak, or Ollama's own."},
        {"embeddings.*.model", "", text, "", "", R"(
            The server's name of the model. Empty: `text-embedding-3-small`, of Ollama
            `nomic-embed-text`.
        )"_folded},
        {"embeddings.*.dimension", "", integer, "0", "0..16000", R"(
            Numbers of each vector. 0: 1536 and 768, those of the models above. Required for any
            other model.
        )"_folded},
        {"embeddings.*.base_url", "", url, "", "", R"(
            Address of the server. Empty: `https://api.openai.com/v1`, of Ollama
            `http://localhost:11434`.
        )"_folded},
        {"embeddings.*.api_key", "", secret, "", "", R"(
            API key. Empty: `openai.api_key`, if there is no `base_url`. Local servers need none.
        )"_folded},
        {"embeddings.*.timeout", "", span, "30s", "1s..10min", "Time limit of one call."},
        {"embeddings.*.price",
         "",
         integer,
         "0",
         "0..1000000",
         "Price of a million tokens in US cents."},
    };
}

void read_embeddings(settings const& values, config& into, std::vector<std::string>& problems) {
    for (auto const& name : values.names("embeddings")) {
        if (name != used_entry) {
            problems.push_back("embeddings." + name + ": only embeddings.default is used");
            continue;
        }
        auto const key = [&name](std::string_view row) {
            return "embeddings." + name + "." + std::string(row);
        };
        agent::embedding_options options;
        options.provider = values.text(key("provider"));
        options.model = values.text(key("model"));
        options.dimension = static_cast<int>(values.integer(key("dimension")));
        options.base_url = values.text(key("base_url"));
        options.api_key = values.secret(key("api_key"));
        options.timeout =
            std::chrono::round<std::chrono::milliseconds>(values.span(key("timeout")));
        options.price = static_cast<double>(values.integer(key("price"))) / 100;
        auto const* provider = agent::find_embedding_provider(options.provider);
        if (!provider) continue; // a problem of its own
        bool const is_elsewhere = !options.base_url.empty();
        if (options.api_key.empty() && provider->needs_key && !is_elsewhere)
            options.api_key = values.secret("openai.api_key");
        if (options.api_key.empty() && provider->needs_key && !is_elsewhere)
            problems.push_back("embeddings.default: it needs an api_key, or a base_url");
        if (options.dimension == 0 && !options.model.empty() &&
            options.model != provider->usual_model)
            problems.push_back("embeddings.default: the model needs its dimension");
        if (options.model.empty()) options.model = provider->usual_model;
        if (options.dimension == 0) options.dimension = provider->usual_dimension;
        into.embeddings = std::move(options);
    }
}

} // namespace postrider::server
