#include "agent/flow/run/part_embedder.hpp"

#include "agent/flow/parts/paid_embedding.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/talk/degradation.hpp"
#include "base/json/json.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::chrono::milliseconds longest_part_embedding = std::chrono::minutes{2};
// The vectors of other documents wait behind those of one. A server that is away for hours ends no job of all
// documents.
constexpr base::retry_policy document_tries{
    .limit = 5, .delay = std::chrono::seconds{10}, .timeout = std::chrono::minutes{10}};
constexpr base::retry_policy all_tries{
    .limit = 100, .delay = std::chrono::seconds{10}, .timeout = std::chrono::minutes{10}};

constexpr std::size_t vectors_of_a_commit = 16;

std::string own_model(recall::vector_model const& model) {
    return fmt::format("{} {}", model.name, model.dimension);
}

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

base::awaitable<base::result<embedded_parts>> part_embedder::run(
    std::optional<knowledge::embedded_document> document
) {
    auto const& tries = document ? document_tries : all_tries;
    embedded_parts done;
    for (int batch = 1;; ++batch) {
        auto const name = fmt::format("embed:{}", batch);
        bool const was_recorded = steps_.recorded(name);
        rows_.clear();
        auto const work = [&] { return embed_batch(document, name); };
        auto const recorded = co_await steps_.try_step(name, tries, work);
        if (!recorded) co_return recorded.error();
        base::json_reader const facts{*recorded};
        // What a run before has left, or stored by another model, has no vector: this run asks from the beginning.
        if (facts["model"].string_or("") != own_model(model_)) continue;
        if (!facts["last"]) co_return done; // all have one
        done.parts += facts["parts"].int64();
        done.refused += facts["refused"].int64();
        if (was_recorded) continue;
        last_ = facts["last"].int64();
        co_await store();
    }
}

// A vector takes some milliseconds to find its place in the index, and turns of chats wait for the same commits.
base::awaitable<void> part_embedder::store() {
    for (std::size_t at = 0; at < rows_.size();) {
        auto const end = std::min(at + vectors_of_a_commit, rows_.size());
        for (; at < end; ++at) steps_.add(std::move(rows_[at]));
        (void)co_await steps_.commit();
    }
}

base::awaitable<queue::step_value> part_embedder::embed_batch(
    std::optional<knowledge::embedded_document> const& document, std::string const& step
) {
    rows_.clear();
    refused_.clear();
    knowledge::bare_question question;
    if (document) question.document = document->id;
    if (document) question.generation = document->generation;
    question.after = last_;
    question.most = static_cast<int>(most_embedded_texts);
    auto const bare =
        co_await knowledge::read_bare_parts(services_.reads, question, bounds::longest_read);
    if (!bare) co_return bare.error();
    json::object record{{"model", own_model(model_)}};
    if (bare->empty()) co_return json::value(std::move(record));
    auto const embedded = co_await embed_some(*bare, step);
    if (!embedded) co_return embedded.error();
    // A server that refuses each text refuses any, unless their length is its reason.
    if (rows_.empty() && last_refusal_ != base::errc::context_too_long) co_return last_refusal_;
    record["parts"] = std::ssize(rows_);
    record["refused"] = std::ssize(refused_);
    record["last"] = bare->back().id;
    for (auto const part : refused_) rows_.push_back(knowledge::refuse_part(part, model_));
    co_return json::value(std::move(record));
}

// In halves where the server refuses them together.
base::awaitable<base::result<void>> part_embedder::embed_some(
    std::span<knowledge::bare_part const> parts, std::string const& step
) {
    auto const embedded = co_await ask(parts, step);
    if (!embedded && !may_be_one_text(embedded.error())) co_return embedded.error();
    if (!embedded && parts.size() > 1) {
        auto const half = parts.size() / 2;
        auto const first = co_await embed_some(parts.first(half), step);
        if (!first) co_return first.error();
        co_return co_await embed_some(parts.subspan(half), step);
    }
    if (!embedded) {
        refused_.push_back(parts.front().id);
        last_refusal_ = embedded.error();
        co_return base::result<void>{};
    }
    for (std::size_t at = 0; at < parts.size(); ++at)
        rows_.push_back(knowledge::keep_part_vector(parts[at].id, embedded->vectors.at(at), model_)
        );
    co_return base::result<void>{};
}

// Beside the audit stand the numbers of the parts, not what the documents say: these may be removed.
base::awaitable<base::result<embedded_texts>> part_embedder::ask(
    std::span<knowledge::bare_part const> parts, std::string const& step
) {
    std::vector<std::string> texts;
    std::string numbers;
    for (auto const& part : parts) {
        texts.push_back(part.text);
        numbers += fmt::format("part {}\n", part.id);
    }
    embedding_payer payer{steps_, reservations_ ? &*reservations_ : nullptr, &audit_};
    return embed_paid(
        embedder_,
        std::move(payer),
        step,
        std::move(texts),
        longest_part_embedding,
        std::move(numbers)
    );
}

namespace {

base::error refused_parts(std::int64_t number) {
    return base::error(base::errc::refused, fmt::format("{} parts were refused", number));
}

base::awaitable<queue::outcome> embed_parts(node_services const& services, queue::workflow& steps) {
    auto const document = knowledge::embedded_document_from(steps.job().input);
    // They were in use when the document was read.
    if (!services.embedder && document)
        co_return queue::outcome::completed(json::object{{"parts", 0}, {"refused", 0}});
    if (!services.embedder)
        co_return queue::outcome::failed(base::error(
            base::errc::refused, "no embeddings are in use here: [embeddings.default] and pgvector"
        ));
    part_embedder work(services, steps);
    auto const parts = co_await work.run(document);
    if (!parts && !document) co_return queue::outcome::failed(parts.error());
    auto outcome = queue::outcome::completed();
    if (parts) outcome.output = json::object{{"parts", parts->parts}, {"refused", parts->refused}};
    if (!document || (parts && parts->refused == 0)) co_return outcome;
    auto const failure = parts ? refused_parts(parts->refused) : parts.error();
    outcome.degraded = degradation_of(degraded_by::knowledge_degraded, failure);
    // That one waits longer for the server.
    if (base::retryable(failure.code))
        outcome.writes = knowledge::embed_parts_later(services.embedder->name());
    co_return outcome;
}

} // namespace

queue::job_kind make_part_embeddings(node_services const& services) {
    auto run = [&services](queue::workflow& steps) { return embed_parts(services, steps); };
    return {.name = std::string(knowledge::part_embedding_kind), .run = run};
}

} // namespace postrider::agent::flow
