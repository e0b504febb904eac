#include "agent/models/embedding/embedder.hpp"

#include "agent/models/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postrider::agent {

namespace {

bool has_direction(embedding const& vector) {
    return std::ranges::all_of(vector, [](float number) { return std::isfinite(number); }) &&
           std::ranges::any_of(vector, [](float number) { return number != 0; });
}

class http_embedder final : public embedder {
public:
    http_embedder(
        embedding_provider const& provider,
        embedding_options options,
        net::base_url address,
        net::http_client& client,
        base::clock& clock
    )
        : provider_(provider),
          options_(std::move(options)),
          address_(std::move(address)),
          client_(client),
          clock_(clock),
          name_(name_of(options_)) {}

    std::string const& name() const override { return name_; }
    int dimension() const override { return options_.dimension; }
    std::int64_t cost_micro(std::int64_t tokens) const override {
        return std::llround(static_cast<double>(tokens) * options_.price);
    }

    base::awaitable<base::result<embedded_texts>> embed(
        std::vector<std::string> texts, std::chrono::milliseconds timeout
    ) override {
        auto answer = co_await client_.send(call_for(texts, timeout));
        if (!answer) co_return transport_error(answer.error());
        if (answer->status != 200) co_return openai_error(*answer, options_.model, clock_.now());
        auto embedded = provider_.read_reply(answer->body);
        if (!embedded) co_return embedded.error();
        if (embedded->vectors.size() != texts.size())
            co_return base::error(
                base::errc::unavailable, "the answer has another number of embeddings"
            );
        for (auto const& vector : embedded->vectors)
            if (auto const problem = problem_of(vector); !problem.empty())
                co_return base::error(base::errc::invalid, problem, wrong_vector);
        co_return std::move(*embedded);
    }

private:
    net::http_call call_for(
        std::vector<std::string> const& texts, std::chrono::milliseconds timeout
    ) const {
        net::http_call call;
        call.origin = address_.origin;
        call.target = address_.path + std::string(provider_.path);
        call.headers.add("Content-Type", "application/json");
        if (!options_.api_key.empty())
            call.headers.add("Authorization", "Bearer " + options_.api_key.reveal());
        call.body = provider_.request_body(options_, texts);
        call.idempotent = true;
        auto const limit = std::min(timeout, options_.timeout);
        call.connect_timeout = call.first_byte_timeout = call.idle_timeout = limit;
        call.total_timeout = limit;
        return call;
    }

    std::string problem_of(embedding const& vector) const {
        if (std::ssize(vector) != options_.dimension)
            return fmt::format(
                "{} gives {} dimensions; embeddings.default.dimension is {}",
                name_,
                vector.size(),
                options_.dimension
            );
        return has_direction(vector) ? "" : name_ + " gave a vector without a direction";
    }

    embedding_provider const& provider_;
    embedding_options options_;
    net::base_url address_;
    net::http_client& client_;
    base::clock& clock_;
    std::string name_;
};

} // namespace

std::string name_of(embedding_options const& options) {
    return fmt::format("{}/{}", options.provider, options.model);
}

base::result<std::unique_ptr<embedder>> make_embedder(
    embedding_options options, net::http_client& client, base::clock& clock
) {
    auto const* provider = find_embedding_provider(options.provider);
    if (!provider)
        return base::error(
            base::errc::invalid, "there is no embeddings provider " + options.provider
        );
    if (options.model.empty()) options.model = provider->usual_model;
    if (options.dimension == 0 && options.model == provider->usual_model)
        options.dimension = provider->usual_dimension;
    if (options.dimension < 1)
        return base::error(
            base::errc::invalid, "the dimension of " + options.model + " is not known: write it"
        );
    if (options.base_url.empty()) options.base_url = provider->address;
    auto address = net::parse_base_url(options.base_url);
    if (!address) return address.error();
    std::unique_ptr<embedder> server = std::make_unique<http_embedder>(
        *provider, std::move(options), std::move(*address), client, clock
    );
    return server;
}

} // namespace postrider::agent
