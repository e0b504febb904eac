// OpenAI: POST {base}/embeddings. Ollama: POST {base}/api/embed.
#include "agent/models/embedding/embedder.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"
#include "base/utf8.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

namespace json = boost::json;

// A token is four bytes at most, so that the servers' bound of 8,192 is kept.
constexpr std::size_t most_bytes_of_a_text = 8'000;

json::array cut_texts(std::span<std::string const> texts) {
    json::array cut;
    for (auto const& text : texts)
        cut.emplace_back(base::cut_at_character(text, most_bytes_of_a_text));
    return cut;
}

// Only the vendor's newer models take another dimension than their own.
std::string openai_embedding_body(
    embedding_options const& options, std::span<std::string const> texts
) {
    json::object body{
        {"model", options.model}, {"input", cut_texts(texts)}, {"encoding_format", "float"}};
    if (options.model.starts_with("text-embedding-3")) body["dimensions"] = options.dimension;
    return base::json_text(body);
}

std::string ollama_embedding_body(
    embedding_options const& options, std::span<std::string const> texts
) {
    return base::json_text(json::object{{"model", options.model}, {"input", cut_texts(texts)}});
}

base::error unreadable() {
    return base::error(base::errc::unavailable, "the answer has no embeddings that can be read");
}

embedding vector_in(base::json_reader const& numbers) {
    embedding vector;
    for (auto const& number : numbers.items())
        vector.push_back(static_cast<float>(number.number()));
    return vector;
}

// Its items say which text they are of.
base::result<embedded_texts> read_openai_embeddings(std::string_view body) {
    auto const parsed = base::parse_json(body, {.bytes = 16u << 20});
    if (!parsed) return unreadable();
    base::json_reader const root{*parsed};
    auto const data = root["data"].items();
    embedded_texts embedded;
    embedded.vectors.resize(data.size());
    for (std::size_t at = 0; at < data.size(); ++at) {
        auto const index = data[at]["index"].int64_or(static_cast<std::int64_t>(at));
        if (index < 0 || index >= std::ssize(data)) return unreadable();
        embedded.vectors[static_cast<std::size_t>(index)] = vector_in(data[at]["embedding"]);
    }
    embedded.tokens = root["usage"]["total_tokens"].int64_or(0);
    if (root.failed()) return unreadable();
    return embedded;
}

base::result<embedded_texts> read_ollama_embeddings(std::string_view body) {
    auto const parsed = base::parse_json(body, {.bytes = 16u << 20});
    if (!parsed) return unreadable();
    base::json_reader const root{*parsed};
    embedded_texts embedded;
    for (auto const& numbers : root["embeddings"].items())
        embedded.vectors.push_back(vector_in(numbers));
    embedded.tokens = root["prompt_eval_count"].int64_or(0);
    if (root.failed()) return unreadable();
    return embedded;
}

constexpr std::array all_embedding_providers{
    embedding_provider{
        .name = "openai",
        .address = "https://api.openai.com/v1",
        .usual_model = "text-embedding-3-small",
        .usual_dimension = 1536,
        .path = "/embeddings",
        .needs_key = true,
        .request_body = openai_embedding_body,
        .read_reply = read_openai_embeddings},
    embedding_provider{
        .name = "ollama",
        .address = "http://localhost:11434",
        .usual_model = "nomic-embed-text",
        .usual_dimension = 768,
        .path = "/api/embed",
        .request_body = ollama_embedding_body,
        .read_reply = read_ollama_embeddings},
};

} // namespace

std::span<embedding_provider const> embedding_providers() noexcept {
    return all_embedding_providers;
}

embedding_provider const* find_embedding_provider(std::string_view name) noexcept {
    auto const* const entry =
        std::ranges::find(all_embedding_providers, name, &embedding_provider::name);
    return entry == all_embedding_providers.end() ? nullptr : entry;
}

} // namespace postrider::agent
