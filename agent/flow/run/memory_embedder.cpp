#include "agent/flow/run/memory_embedder.hpp"

#include "agent/flow/nodes/embedding_job.hpp"
#include "agent/flow/parts/paid_embedding.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/audit_trail.hpp"
#include "agent/flow/run/budget_reservations.hpp"
#include "agent/recall/vectors.hpp"
#include "base/json/json.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <optional>
#include <span>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr std::chrono::milliseconds longest_call = std::chrono::minutes{2};
// A server that is away for hours ends no job. Of a step's time, a batch that is split takes a good part.
constexpr base::retry_policy embedding_tries{
    .limit = 100, .delay = std::chrono::seconds{10}, .timeout = std::chrono::minutes{20}};

constexpr int most_batches = 200; // of one job, which another one follows

// What one run of the job asks with. It outlives its coroutines.
class memory_embedder {
public:
    memory_embedder(
        node_services const& services, queue::workflow& steps, embedding_request request
    )
        : services_(services),
          steps_(steps),
          embedder_(*services.embedder),
          model_{embedder_.name(), embedder_.dimension()},
          request_(std::move(request)),
          audit_(steps, nobody_, services.random, services.audit_in_full) {
        auto own = fmt::format("{} {}", model_.name, model_.dimension);
        if (!request_.model.empty() && request_.model != own) begin_anew();
        request_.model = std::move(own);
        if (services.budgets)
            reservations_.emplace(*services.budgets, steps, nobody_, base::nanoid(services.random));
    }

    base::awaitable<queue::outcome> run() {
        for (int batch = 1; batch <= most_batches; ++batch) {
            auto const name = fmt::format("embed:{}", batch);
            bool const was_recorded = steps_.recorded(name);
            auto const work = [this, &name] { return embed_batch(name); };
            auto const recorded = co_await steps_.try_step(name, embedding_tries, work);
            if (!recorded) co_return queue::outcome::failed(recorded.error());
            if (recorded->is_null()) co_return outcome(); // all have one
            take(*recorded);
            if (was_recorded) continue;
            for (auto& row : rows_) steps_.add(std::move(row));
            (void)co_await steps_.commit();
        }
        auto unfinished = outcome();
        unfinished.writes = embed_further(steps_.job().id, request_);
        co_return unfinished;
    }

private:
    // What was done by another model, before this process was configured anew, is to be done again.
    void begin_anew() {
        request_.after = 0;
        request_.again = true;
    }

    void take(json::value const& batch) {
        base::json_reader const members{batch};
        bool const is_of_model = members["model"].string_or("") == model_.name &&
                                 members["dimension"].int64_or(0) == model_.dimension;
        request_.after = members["last"].int64();
        if (!is_of_model) begin_anew();
        request_.memories += members["memories"].int64();
        request_.refused += members["refused"].int64();
    }

    queue::outcome outcome() const {
        return queue::outcome::completed(json::object{
            {"memories", request_.memories},
            {"refused", request_.refused},
            {"model", model_.name},
            {"dimension", model_.dimension}});
    }

    base::awaitable<queue::step_value> embed_batch(std::string const& step) {
        rows_.clear();
        auto const memories = co_await recall::read_bare(
            services_.reads,
            model_,
            request_.after,
            request_.again,
            static_cast<int>(most_embedded_texts),
            bounds::longest_read
        );
        if (!memories) co_return memories.error();
        if (memories->empty()) co_return json::value();
        refused_.clear();
        auto const embedded = co_await embed_some(*memories, step);
        if (!embedded) co_return embedded.error();
        // A server that refuses several texts one by one refuses any.
        if (rows_.empty() && refused_.size() > 1) co_return last_refusal_;
        for (auto const memory : refused_) rows_.push_back(recall::mark_refused(memory, model_));
        co_return json::value{
            {"memories", std::ssize(*memories) - std::ssize(refused_)},
            {"refused", std::ssize(refused_)},
            {"last", memories->back().id},
            {"model", model_.name},
            {"dimension", model_.dimension}};
    }

    // In halves where the server refuses them together.
    base::awaitable<base::result<void>> embed_some(
        std::span<recall::bare_memory const> memories, std::string const& step
    ) {
        auto const embedded = co_await ask(memories, step);
        if (!embedded && !may_be_one_text(embedded.error())) co_return embedded.error();
        if (!embedded && memories.size() > 1) {
            auto const half = memories.size() / 2;
            auto const first = co_await embed_some(memories.first(half), step);
            if (!first) co_return first.error();
            co_return co_await embed_some(memories.subspan(half), step);
        }
        if (!embedded) {
            refused_.push_back(memories.front().id);
            last_refusal_ = embedded.error();
            co_return base::result<void>{};
        }
        for (std::size_t at = 0; at < memories.size(); ++at)
            rows_.push_back(recall::keep_vector(memories[at].id, embedded->vectors.at(at), model_));
        co_return base::result<void>{};
    }

    // Beside the audit stand the numbers of the memories, not what several people said: erasing one of them clears these.
    base::awaitable<base::result<embedded_texts>> ask(
        std::span<recall::bare_memory const> memories, std::string const& step
    ) {
        std::vector<std::string> texts;
        std::string numbers;
        for (auto const& memory : memories) {
            texts.push_back(memory.text);
            numbers += fmt::format("memory {}\n", memory.id);
        }
        embedding_payer payer{steps_, reservations_ ? &*reservations_ : nullptr, &audit_};
        return embed_paid(
            embedder_, std::move(payer), step, std::move(texts), longest_call, std::move(numbers)
        );
    }

    node_services const& services_;
    queue::workflow& steps_;
    embedder& embedder_;
    recall::vector_model model_;
    embedding_request request_; // as far as the job has come
    execution_input nobody_;    // no flow's: it answers no one
    audit_trail audit_;
    std::optional<budget_reservations> reservations_;
    std::vector<storage::write> rows_ = {};  // of the batch
    std::vector<std::int64_t> refused_ = {}; // likewise
    base::error last_refusal_;
};

base::awaitable<queue::outcome> run_embedding(
    node_services const& services, queue::workflow& steps
) {
    if (!services.embedder)
        co_return queue::outcome::failed(base::error(
            base::errc::refused, "no embeddings are in use here: [embeddings.default] and pgvector"
        ));
    memory_embedder work(services, steps, embedding_request_from(steps.job().input));
    co_return co_await work.run();
}

} // namespace

queue::job_kind make_memory_embeddings(node_services const& services) {
    auto run = [&services](queue::workflow& steps) { return run_embedding(services, steps); };
    return {.name = std::string(embedding_kind), .run = run};
}

} // namespace postrider::agent::flow
