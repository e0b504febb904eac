#pragma once
// Texts as vectors, by a server: OpenAI's embeddings API, which many others speak, or Ollama's.
//
// Guarantees that every vector has the configured dimension and is none that has no direction: vectors of
// several models or dimensions are never mixed. Errors are those of a model (models/model.hpp).
#include "base/async.hpp"
#include "base/clock.hpp"
#include "base/secret.hpp"
#include "net/http_client.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent {

struct embedding_options {
    std::string provider = "openai"; // a name of embedding_providers()
    std::string model = {};          // "" = the provider's usual
    int dimension = 0;               // 0 = that of the usual model
    base::secret api_key = {};       // may be empty: local servers want none
    std::string base_url = {};       // "" = the provider's
    std::chrono::milliseconds timeout = std::chrono::seconds{30}; // of one call
    double price = 0;                                             // of a million tokens
};

// "openai/text-embedding-3-small", of complete options.
std::string name_of(embedding_options const& options);

using embedding = std::vector<float>;

struct embedded_texts {
    std::vector<embedding> vectors; // in the order of the texts
    std::int64_t tokens = 0;
};

// Of one call.
inline constexpr std::size_t most_embedded_texts = 64;

// The reason of an error: a vector is of another dimension than the configured one, or has no direction. It is the
// configuration's fault, not that of a text.
inline constexpr std::string_view wrong_vector = "wrong_vector";

class embedder {
public:
    virtual ~embedder() = default;
    virtual std::string const& name() const = 0; // "openai/text-embedding-3-small"
    virtual int dimension() const = 0;
    // In the prices' currency, in millionths.
    virtual std::int64_t cost_micro(std::int64_t tokens) const = 0;
    // Texts that are not empty, most_embedded_texts at most. Long ones are cut.
    virtual base::awaitable<base::result<embedded_texts>> embed(
        std::vector<std::string> texts, std::chrono::milliseconds timeout
    ) = 0;
};

// A server's API as a value; pure.
struct embedding_provider {
    std::string_view name;    // "ollama", in [embeddings.*].provider
    std::string_view address; // its own
    std::string_view usual_model;
    int usual_dimension = 0;
    std::string_view path;  // behind the address
    bool needs_key = false; // at its own address
    std::string (*request_body
    )(embedding_options const& options, std::span<std::string const> texts) = nullptr;
    // unavailable: it cannot be read.
    base::result<embedded_texts> (*read_reply)(std::string_view body) = nullptr;
};

std::span<embedding_provider const> embedding_providers() noexcept;
// Null: there is none of this name.
embedding_provider const* find_embedding_provider(std::string_view name) noexcept;

// invalid: an unknown provider, an address that is none, or no dimension. The client and the clock outlive it.
base::result<std::unique_ptr<embedder>> make_embedder(
    embedding_options options, net::http_client& client, base::clock& clock
);

} // namespace postrider::agent
