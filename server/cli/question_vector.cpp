#include "server/cli/question_vector.hpp"

#include "agent/models/embedding/embedder.hpp"
#include "agent/recall/vectors.hpp"
#include "base/clock.hpp"
#include "server/cli/online_work.hpp"
#include "server/start/config.hpp"

namespace postrider::cli {

namespace {

constexpr std::chrono::seconds longest_wait_for_vector{10};

base::awaitable<base::result<agent::embedded_texts>> embed_question(
    net::http_client& http, agent::embedding_options options, std::string question
) {
    auto const server = agent::make_embedder(std::move(options), http, base::system_clock());
    if (!server) co_return server.error();
    std::vector<std::string> texts{std::move(question)};
    co_return co_await (*server)->embed(std::move(texts), longest_wait_for_vector);
}

} // namespace

std::optional<std::string> vector_of_question(context const& in, std::string const& question) {
    auto const& options = in.configured.values.embeddings;
    if (!options) return std::string();
    auto const embedded = run_online([&](net::http_client& http) {
        return embed_question(http, *options, question);
    });
    if (!embedded) return std::nullopt;
    return agent::recall::vector_text(embedded->vectors.front());
}

} // namespace postrider::cli
