#include "agent/flow/nodes/long_term_memory.hpp"

#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/nodes/embedding_job.hpp"
#include "agent/flow/nodes/extraction_job.hpp"
#include "agent/flow/parts/paid_embedding.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/loop/token_window.hpp"
#include "agent/recall/older_messages.hpp"
#include "agent/recall/store.hpp"
#include "agent/recall/vectors.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

#include <utility>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Beside the step of a memory outside, which may be the inner one's. Each item has one of its own, which it may do
// without: an earlier item never takes what a later one found.
std::string long_term_step(std::size_t item) {
    return item == 0 ? "recall-long-term" : fmt::format("recall-long-term:{}", item + 1);
}

// What was found, and what the search went without.
struct memory_search {
    std::vector<recall::recalled_memory> memories = {};
    std::optional<base::error> without_meaning = {};
};

json::value search_record(memory_search const& result) {
    json::array memories;
    for (auto const& memory : result.memories)
        memories.push_back(
            {{"id", memory.id},
             {"kind", recall::to_string(memory.kind)},
             {"text", memory.text},
             {"at", memory.created_at},
             {"score", memory.score},
             {"said_by", recall::said_by_json(memory)}}
        );
    json::object record{{"memories", std::move(memories)}};
    if (result.without_meaning)
        record["without_meaning"] = base::to_string(result.without_meaning->code);
    return record;
}

memory_search search_from(json::value const& record) {
    base::json_reader const root{record};
    memory_search recorded;
    for (auto const& entry : root["memories"].items_or_none())
        recorded.memories.push_back(
            {.id = entry["id"].int64_or(0),
             .text = entry["text"].string_or(""),
             .created_at = entry["at"].string_or("")}
        );
    if (auto const code = base::errc_from_string(root["without_meaning"].string_or("")))
        recorded.without_meaning =
            base::error(*code, "the search was by words alone: the embeddings failed");
    return recorded;
}

// What a search found is recorded, also nothing. Where the history tells that there is nothing to be found, nobody
// searches.
class long_term_memory final : public memory {
public:
    // `inner` may be none, and so may the job that reads older messages. What the run refers to outlives it.
    long_term_memory(
        std::shared_ptr<memory> inner,
        std::optional<recall::memory_owner> owner,
        recall_limits limits,
        std::optional<extraction_request> job,
        part_run const& run
    )
        : inner_(std::move(inner)),
          owner_(owner),
          limits_(limits),
          job_(std::move(job)),
          step_(long_term_step(run.item)),
          conversation_(run.conversation),
          reservations_(run.reservations),
          audit_(run.audit),
          reads_(run.services.reads),
          clock_(run.services.clock),
          embedder_(run.services.embedder) {}

    base::awaitable<base::result<recollection>> recall(
        std::string_view question, queue::workflow& steps
    ) override {
        recollection recalled;
        if (inner_) {
            auto inner_recalled = co_await inner_->recall(question, steps);
            if (!inner_recalled) co_return inner_recalled.error();
            recalled = std::move(*inner_recalled);
        }
        recalled.memories.emplace();
        bool const may_ask = owner_ && !steps.is_read_only();
        if (may_ask) co_await begin_jobs(recalled.shown_since, steps);
        bool const was_recorded = steps.recorded(step_);
        bool const searches = may_ask && may_have_memories() && !question.empty();
        if (!was_recorded && !searches) co_return recalled;
        queue::step_value record = json::value();
        if (was_recorded)
            record = co_await steps.record_value(step_, json::value());
        else
            record = co_await search_and_record(question, recalled.shown_since, steps);
        if (!record) {
            recalled.shortfall = record.error();
            co_return recalled;
        }
        auto recorded = search_from(*record);
        recalled.memories = recall::lines_of(recorded.memories);
        recalled.shortfall = std::move(recorded.without_meaning);
        co_return recalled;
    }

    std::vector<storage::write> keep(chat_message const& message, std::int64_t position) override {
        return inner_ ? inner_->keep(message, position) : std::vector<storage::write>();
    }

    // What is remembered for long stays: forget() of a tool, or a command, deletes that.
    std::vector<storage::write> clear() override {
        return inner_ ? inner_->clear() : std::vector<storage::write>();
    }

    base::awaitable<base::result<void>> remember(
        std::vector<kept_message> messages, queue::workflow& steps
    ) override {
        if (!inner_) co_return base::result<void>{};
        co_return co_await inner_->remember(std::move(messages), steps);
    }

    base::awaitable<base::result<void>> forget(std::int64_t position, queue::workflow& steps)
        override {
        if (!inner_) co_return base::result<void>{};
        co_return co_await inner_->forget(position, steps);
    }

private:
    bool may_have_memories() const {
        auto const& outlook = conversation_.memories();
        return !outlook || outlook->has_memories;
    }

    // A call of a server is a step, and paid with it. The database's answer alone costs no commit.
    base::awaitable<queue::step_value> search_and_record(
        std::string_view text, storage::turn_place shown_since, queue::workflow& steps
    ) {
        if (embedder_) {
            auto const work = [&] { return search_all(text, shown_since, steps); };
            base::retry_policy once{.limit = 0};
            once.timeout = std::chrono::ceil<std::chrono::milliseconds>(2 * limits_.patience);
            co_return co_await steps.try_step(step_, once, work);
        }
        auto value = co_await search_all(text, shown_since, steps);
        co_return co_await steps.record_value(step_, std::move(value));
    }

    base::awaitable<queue::step_value> search_all(
        std::string_view text, storage::turn_place shown_since, queue::workflow& steps
    ) {
        recall::recall_question question;
        question.owner = *owner_;
        question.text = text;
        question.least_score = limits_.least_score;
        question.most = limits_.most;
        question.shown_lane = shown_since.lane;
        question.shown_since = shown_since.job;
        // A fork apart recalls what the original could.
        if (auto const& original = conversation_.input().history) question.as_of = original->job;
        auto const begin = clock_.steady();
        memory_search result;
        if (embedder_) result.without_meaning = co_await add_vector(question, steps);
        auto const elapsed = std::chrono::ceil<base::duration>(clock_.steady() - begin);
        auto memories = co_await recall::recall_memories(
            reads_, std::move(question), limits_.patience - elapsed
        );
        if (!memories) co_return memories.error();
        result.memories = std::move(*memories);
        co_return search_record(result);
    }

    // Within two thirds of the time, so that the words can be searched without it.
    base::awaitable<std::optional<base::error>> add_vector(
        recall::recall_question& question, queue::workflow& steps
    ) {
        auto const limit = std::chrono::floor<std::chrono::milliseconds>(limits_.patience * 2 / 3);
        std::vector<std::string> texts{question.text};
        embedding_payer payer{steps, reservations_, audit_};
        auto const embedded =
            co_await embed_paid(*embedder_, std::move(payer), step_, std::move(texts), limit);
        if (!embedded) co_return embedded.error();
        question.vector = recall::vector_text(embedded->vectors.front());
        co_return std::nullopt;
    }

    base::awaitable<void> begin_jobs(storage::turn_place shown_since, queue::workflow& steps) {
        if (job_) co_await extract_if_due(shown_since, steps);
        if (!embedder_) co_return;
        bool const lacks = co_await lack_vectors();
        if (!lacks) co_return;
        for (auto& row : embed_later()) steps.add(std::move(row));
    }

    base::awaitable<bool> lack_vectors() {
        if (auto const& outlook = conversation_.memories()) co_return outlook->lacks_vectors;
        auto const lacks = co_await recall::lacks_vectors(reads_, *owner_, limits_.patience);
        co_return lacks&&* lacks;
    }

    bool is_due(recall::older_amount const& older) const {
        return older.messages >= limits_.after_messages ||
               older.bytes >= limits_.after_tokens * bytes_of_a_token;
    }

    // Where that cannot be measured now, the next turn does.
    base::awaitable<void> extract_if_due(storage::turn_place shown_since, queue::workflow& steps) {
        if (shown_since.job == job_id{}) co_return;
        auto older = conversation_.older_than(shown_since.job);
        if (!older) {
            auto const measured = co_await recall::measure_older(
                reads_, shown_since.lane, shown_since.job, limits_.after_messages, limits_.patience
            );
            if (!measured) co_return;
            older = *measured;
        }
        if (!is_due(*older)) co_return;
        job_->lane = shown_since.lane;
        job_->until = shown_since.job;
        job_->owner = *owner_;
        for (auto& row : extract_later(*job_)) steps.add(std::move(row));
    }

    std::shared_ptr<memory> inner_;
    std::optional<recall::memory_owner> owner_;
    recall_limits limits_;
    std::optional<extraction_request> job_;
    std::string step_;
    flow::conversation& conversation_;
    budget_reservations* reservations_;
    audit_trail* audit_;
    storage::batcher& reads_;
    base::clock& clock_;
    embedder* embedder_; // null: words alone are searched
};

// With the model that hangs on the node. Who answers nobody has none.
base::awaitable<std::optional<extraction_request>> extraction_of(part_run& run) {
    auto const models = run.parts.connected(ai_model);
    if (models.empty() || run.conversation.is_silent()) co_return std::nullopt;
    auto const offer = co_await run.parts.make(ai_model, models.front());
    if (!offer || !offer->in_order.front()) co_return std::nullopt;
    extraction_request request;
    request.flow = run.conversation.flow();
    request.model = *offer->in_order.front();
    co_return request;
}

} // namespace

base::awaitable<base::result<memory_part>> make_long_term_memory(part_run& run) {
    memory_part part;
    auto const memories = run.parts.connected(ai_memory);
    if (!memories.empty()) {
        auto inner = co_await run.parts.make(ai_memory, memories.front());
        if (!inner) co_return inner.error();
        part = std::move(*inner);
    }
    recall_limits limits;
    limits.most = static_cast<int>(run.parameters.at("max_memories").to_number<std::int64_t>());
    limits.least_score = run.parameters.at("least_score").to_number<double>() / 100;
    auto const patience =
        base::duration_from_text(std::string(run.parameters.at("timeout").as_string()));
    if (!patience) co_return base::error(base::errc::invalid, "the timeout is no span of time");
    limits.patience = *patience;
    limits.after_messages =
        static_cast<int>(run.parameters.at("after_messages").to_number<std::int64_t>());
    limits.after_tokens = run.parameters.at("after_tokens").to_number<std::int64_t>();
    std::optional<recall::memory_owner> owner;
    if (auto const& heard = run.conversation.heard())
        owner = recall::owner_in(heard->from.bot, heard->from.chat, heard->user);
    auto job = co_await extraction_of(run);
    part.memory = std::make_shared<long_term_memory>(
        std::move(part.memory), owner, limits, std::move(job), run
    );
    co_return part;
}

} // namespace postrider::agent::flow
