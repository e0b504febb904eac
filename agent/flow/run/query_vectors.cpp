#include "agent/flow/parts/query_vectors.hpp"

#include "agent/flow/parts/paid_embedding.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/recall/vectors.hpp"

#include <utility>

namespace postrider::agent::flow {

namespace {

constexpr std::chrono::seconds longest_query_embedding{3};

base::awaitable<base::result<std::string>> paid_vector_of(
    node_run* run, std::string step, std::string text
) {
    std::vector<std::string> texts;
    texts.push_back(std::move(text));
    embedding_payer payer{run->steps(), run->reservations(), run->audit()};
    auto const embedded = co_await embed_paid(
        *run->services().embedder,
        std::move(payer),
        std::move(step),
        std::move(texts),
        longest_query_embedding
    );
    if (!embedded) co_return embedded.error();
    co_return recall::vector_text(embedded->vectors.front());
}

} // namespace

text_vectors vectors_for(node_run& run, std::string const& step) {
    if (!run.services().embedder) return {};
    return
        [run = &run, step](std::string text) { return paid_vector_of(run, step, std::move(text)); };
}

} // namespace postrider::agent::flow
