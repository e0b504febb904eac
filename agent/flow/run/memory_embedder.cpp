#include "agent/flow/run/memory_embedder.hpp"

#include "agent/flow/nodes/embedding_job.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/audit_trail.hpp"
#include "agent/flow/run/budget_reservations.hpp"
#include "agent/loop/token_window.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "agent/recall/vectors.hpp"
#include "base/json/json.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <optional>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

constexpr base::retry_policy embedding_tries{
    .limit = 5, .delay = std::chrono::seconds{10}, .timeout = std::chrono::minutes{2}};

// What one run of the job asks with. It outlives its coroutines.
class memory_embedder {
public:
    memory_embedder(node_services const& services, queue::workflow& steps, bool again)
        : services_(services),
          steps_(steps),
          embedder_(*services.embedder),
          model_{embedder_.name(), embedder_.dimension()},
          again_(again),
          audit_(steps, nobody_, services.random, services.audit_in_full) {
        if (services.budgets)
            reservations_.emplace(*services.budgets, steps, nobody_, base::nanoid(services.random));
    }

    base::awaitable<queue::outcome> run() {
        std::int64_t done = 0;
        for (int batch = 1;; ++batch) {
            auto const name = fmt::format("embed:{}", batch);
            bool const was_recorded = steps_.recorded(name);
            rows_.clear();
            auto const work = [this, &name] { return embed_batch(name); };
            auto const recorded = co_await steps_.try_step(name, embedding_tries, work);
            if (!recorded) co_return queue::outcome::failed(recorded.error());
            if (recorded->is_null()) break; // all have one
            last_ = recorded->at("last").as_int64();
            done += recorded->at("memories").as_int64();
            if (was_recorded) continue;
            for (auto& row : rows_) steps_.add(std::move(row));
            (void)co_await steps_.commit();
        }
        co_return queue::outcome::completed(json::object{
            {"memories", done}, {"model", model_.name}, {"dimension", model_.dimension}});
    }

private:
    base::awaitable<queue::step_value> embed_batch(std::string const& step) {
        rows_.clear();
        auto const memories = co_await recall::read_bare(
            services_.reads,
            model_,
            last_,
            again_,
            static_cast<int>(most_embedded_texts),
            bounds::longest_read
        );
        if (!memories) co_return memories.error();
        if (memories->empty()) co_return json::value();
        std::vector<std::string> texts;
        for (auto const& memory : *memories) texts.push_back(memory.text);
        auto const embedded = co_await ask(std::move(texts), step);
        if (!embedded) co_return embedded.error();
        for (std::size_t at = 0; at < memories->size(); ++at)
            rows_.push_back(
                recall::keep_vector(memories->at(at).id, embedded->vectors.at(at), model_)
            );
        co_return json::value{
            {"memories", static_cast<std::int64_t>(memories->size())},
            {"last", memories->back().id}};
    }

    base::awaitable<base::result<embedded_texts>> ask(
        std::vector<std::string> texts, std::string const& step
    ) {
        std::string all_texts;
        for (auto const& text : texts) all_texts.append(text).append("\n");
        auto const tokens = std::ssize(all_texts) / bytes_of_a_token + 1;
        std::optional<budget_reservations::call> reservation;
        if (reservations_) {
            storage::spending const estimated{1, tokens, embedder_.cost_micro(tokens)};
            auto const number = co_await reservations_->reserve(estimated, embedding_tries.timeout);
            if (!number) co_return number.error();
            reservation.emplace(*reservations_, *number);
            reservation->pay(estimated);
        }
        audit_trail::model_question question{
            embedder_.name(), std::move(all_texts), texts.size(), 0};
        auto embedded = co_await embedder_.embed(std::move(texts), embedding_tries.timeout);
        queue::usage used;
        if (embedded) {
            used.tokens_in = embedded->tokens;
            used.cost_micro = embedder_.cost_micro(embedded->tokens);
            steps_.spend(step, used);
        }
        if (reservation) reservation->pay({embedded ? 1 : 0, used.tokens_in, used.cost_micro});
        queue::step_value outcome = json::value();
        if (!embedded) outcome = embedded.error();
        audit_.model_called(step, std::move(question), outcome, used);
        co_return std::move(embedded);
    }

    node_services const& services_;
    queue::workflow& steps_;
    embedder& embedder_;
    recall::vector_model model_;
    bool again_;
    execution_input nobody_; // no flow's: it answers no one
    audit_trail audit_;
    std::optional<budget_reservations> reservations_;
    std::int64_t last_ = 0;                 // of the memories that have theirs by now
    std::vector<storage::write> rows_ = {}; // of the batch
};

base::awaitable<queue::outcome> run_embedding(
    node_services const& services, queue::workflow& steps
) {
    if (!services.embedder)
        co_return queue::outcome::failed(base::error(
            base::errc::refused, "no embeddings are in use here: [embeddings.default] and pgvector"
        ));
    bool const again = base::json_reader{steps.job().input}["again"].boolean_or(false);
    memory_embedder work(services, steps, again);
    co_return co_await work.run();
}

} // namespace

queue::job_kind make_memory_embeddings(node_services const& services) {
    auto run = [&services](queue::workflow& steps) { return run_embedding(services, steps); };
    return {.name = std::string(embedding_kind), .run = run};
}

} // namespace postrider::agent::flow
