#include "agent/flow/run/part_embedder.hpp"

#include "agent/flow/parts/paid_embedding.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/models/embedding/embedder.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::chrono::milliseconds longest_part_embedding = std::chrono::minutes{2};
constexpr base::retry_policy part_tries{
    .limit = 5, .delay = std::chrono::seconds{10}, .timeout = std::chrono::minutes{3}};

} // namespace

part_embedder::part_embedder(node_services const& services, queue::workflow& steps)
    : services_(services),
      steps_(steps),
      embedder_(*services.embedder),
      model_{embedder_.name(), embedder_.dimension()},
      audit_(steps, nobody_, services.random, services.audit_in_full) {
    if (services.budgets)
        reservations_.emplace(*services.budgets, steps, nobody_, base::nanoid(services.random));
}

base::awaitable<base::result<std::int64_t>> part_embedder::run(
    knowledge::document_work const* document
) {
    std::int64_t done = 0;
    for (int batch = 1;; ++batch) {
        auto const name = fmt::format("embed:{}", batch);
        bool const was_recorded = steps_.recorded(name);
        rows_.clear();
        auto const work = [&] { return embed_batch(document, name); };
        auto const recorded = co_await steps_.try_step(name, part_tries, work);
        if (!recorded) co_return recorded.error();
        if (recorded->is_null()) co_return done; // all have one
        last_ = recorded->at("last").as_int64();
        done += recorded->at("parts").as_int64();
        if (was_recorded) continue;
        for (auto& row : rows_) steps_.add(std::move(row));
        if (document)
            steps_.add(
                knowledge::note_progress(*document, knowledge::document_state::embedding, done)
            );
        (void)co_await steps_.commit();
    }
}

// Beside the audit stand the numbers of the parts, not what the documents say: these may be removed.
base::awaitable<queue::step_value> part_embedder::embed_batch(
    knowledge::document_work const* document, std::string const& step
) {
    rows_.clear();
    knowledge::bare_question question;
    if (document) question.document = document->id;
    if (document) question.generation = document->generation;
    question.after = last_;
    question.most = static_cast<int>(most_embedded_texts);
    auto const bare =
        co_await knowledge::read_bare_parts(services_.reads, question, bounds::longest_read);
    if (!bare) co_return bare.error();
    if (bare->empty()) co_return json::value();
    std::vector<std::string> texts;
    std::string numbers;
    for (auto const& part : *bare) {
        texts.push_back(part.text);
        numbers += fmt::format("part {}\n", part.id);
    }
    embedding_payer payer{steps_, reservations_ ? &*reservations_ : nullptr, &audit_};
    auto const embedded = co_await embed_paid(
        embedder_,
        std::move(payer),
        step,
        std::move(texts),
        longest_part_embedding,
        std::move(numbers)
    );
    if (!embedded) co_return embedded.error();
    for (std::size_t at = 0; at < bare->size(); ++at)
        rows_.push_back(
            knowledge::keep_part_vector(bare->at(at).id, embedded->vectors.at(at), model_)
        );
    co_return json::value{{"parts", std::ssize(*bare)}, {"last", bare->back().id}};
}

namespace {

base::awaitable<queue::outcome> embed_all_parts(
    node_services const& services, queue::workflow& steps
) {
    if (!services.embedder)
        co_return queue::outcome::failed(base::error(
            base::errc::refused, "no embeddings are in use here: [embeddings.default] and pgvector"
        ));
    part_embedder work(services, steps);
    auto const parts = co_await work.run(nullptr);
    if (!parts) co_return queue::outcome::failed(parts.error());
    co_return queue::outcome::completed(json::object{{"parts", *parts}});
}

} // namespace

queue::job_kind make_part_embeddings(node_services const& services) {
    auto run = [&services](queue::workflow& steps) { return embed_all_parts(services, steps); };
    return {.name = std::string(knowledge::part_embedding_kind), .run = run};
}

} // namespace postrider::agent::flow
