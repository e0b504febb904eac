#include "agent/flow/run/memory_embedder.hpp"

#include "agent/flow/nodes/embedding_job.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/job_embedding_call.hpp"
#include "agent/knowledge/part_vectors.hpp"
#include "base/json/json.hpp"

#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Texts that lack a vector, and where the vector of one is kept.
struct bare_batch {
    std::vector<std::int64_t> ids = {};
    std::vector<std::string> texts = {};
};

// What one run of the job asks with. It outlives its coroutines.
class memory_embedder {
public:
    memory_embedder(node_services const& services, queue::workflow& steps, bool again)
        : services_(services),
          steps_(steps),
          call_(services, steps),
          again_(again) {}

    base::awaitable<queue::outcome> run() {
        auto const memories =
            co_await embed_all("embed", &memory_embedder::bare_memories, recall::keep_vector);
        if (!memories) co_return queue::outcome::failed(memories.error());
        auto const parts =
            co_await embed_all("parts", &memory_embedder::bare_parts, knowledge::keep_part_vector);
        if (!parts) co_return queue::outcome::failed(parts.error());
        co_return queue::outcome::completed(json::object{
            {"memories", *memories},
            {"parts", *parts},
            {"model", call_.model().name},
            {"dimension", call_.model().dimension}});
    }

private:
    using reading =
        base::awaitable<base::result<bare_batch>> (memory_embedder::*)(std::int64_t after);
    using keeping =
        storage::write (*)(std::int64_t, std::span<float const>, recall::vector_model const&);

    // How many have got one.
    base::awaitable<base::result<std::int64_t>> embed_all(
        std::string_view what, reading read, keeping keep
    ) {
        std::int64_t done = 0;
        last_ = 0;
        for (int batch = 1;; ++batch) {
            auto const name = fmt::format("{}:{}", what, batch);
            bool const was_recorded = steps_.recorded(name);
            rows_.clear();
            auto const work = [this, &name, read, keep] { return embed_batch(name, read, keep); };
            auto const recorded = co_await steps_.try_step(name, embedding_tries, work);
            if (!recorded) co_return recorded.error();
            if (recorded->is_null()) co_return done; // all have one
            last_ = recorded->at("last").as_int64();
            done += recorded->at("memories").as_int64();
            if (was_recorded) continue;
            for (auto& row : rows_) steps_.add(std::move(row));
            (void)co_await steps_.commit();
        }
    }

    base::awaitable<queue::step_value> embed_batch(
        std::string const& step, reading read, keeping keep
    ) {
        rows_.clear();
        auto batch = co_await (this->*read)(last_);
        if (!batch) co_return batch.error();
        if (batch->ids.empty()) co_return json::value();
        auto const embedded = co_await call_.ask(std::move(batch->texts), step);
        if (!embedded) co_return embedded.error();
        for (std::size_t at = 0; at < batch->ids.size(); ++at)
            rows_.push_back(keep(batch->ids[at], embedded->vectors.at(at), call_.model()));
        co_return json::value{{"memories", std::ssize(batch->ids)}, {"last", batch->ids.back()}};
    }

    base::awaitable<base::result<bare_batch>> bare_memories(std::int64_t after) {
        auto const memories = co_await recall::read_bare(
            services_.reads,
            call_.model(),
            after,
            again_,
            static_cast<int>(most_embedded_texts),
            bounds::longest_read
        );
        if (!memories) co_return memories.error();
        bare_batch batch;
        for (auto const& memory : *memories) {
            batch.ids.push_back(memory.id);
            batch.texts.push_back(memory.text);
        }
        co_return batch;
    }

    base::awaitable<base::result<bare_batch>> bare_parts(std::int64_t after) {
        knowledge::bare_question question;
        question.after = after;
        question.most = static_cast<int>(most_embedded_texts);
        auto const parts =
            co_await knowledge::read_bare_parts(services_.reads, question, bounds::longest_read);
        if (!parts) co_return parts.error();
        bare_batch batch;
        for (auto const& part : *parts) {
            batch.ids.push_back(part.id);
            batch.texts.push_back(part.text);
        }
        co_return batch;
    }

    node_services const& services_;
    queue::workflow& steps_;
    job_embedding_call call_;
    bool again_;
    std::int64_t last_ = 0;                 // of those that have theirs by now
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
