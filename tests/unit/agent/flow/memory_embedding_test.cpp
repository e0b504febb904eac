// Memories found by meaning: the vector of a question, and the job that makes those of memories.
#include "agent/flow/nodes/embedding_job.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/memory_embedder.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::tests::memory_embedding_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class scripted_embedder final : public agent::embedder {
public:
    std::string const& name() const override { return name_; }
    int dimension() const override { return 2; }
    std::int64_t cost_micro(std::int64_t tokens) const override { return 10 * tokens; }
    base::awaitable<base::result<agent::embedded_texts>> embed(
        std::vector<std::string> texts, std::chrono::milliseconds timeout
    ) override {
        asked.push_back(texts);
        longest = timeout;
        if (failure) co_return *failure;
        agent::embedded_texts embedded;
        embedded.vectors.assign(texts.size(), {0.5f, 1.0f});
        embedded.tokens = 7;
        co_return embedded;
    }

    std::vector<std::vector<std::string>> asked;
    std::chrono::milliseconds longest{0};
    std::optional<base::error> failure;

private:
    std::string name_ = "scripted/vectors";
};

struct embedding_world {
    flow_world w;
    scripted_embedder embedder;

    embedding_world()
        : w(flow_builder("meaning")
                .trigger("In", "telegram.message")
                .agent("Ask", {{"prompt", "What is my dog called?"}})
                .part("Long", "memory.long_term")
                .text()) {
        w.adjust = [this](flow::node_services& services) { services.embedder = &embedder; };
        w.model.script = {says("Rex.")};
    }

    queue::outcome turn() {
        flow::execution_input input;
        input.flow = "meaning";
        input.version = 1;
        input.heard = flow::heard_message{
            {bot_id{1}, chat_id{7}, thread_id{0}}, user_id{7}, telegram_message_id{50}};
        return w.run(std::move(input));
    }
    std::int64_t jobs_of_turn() const {
        return std::ranges::count_if(w.record.writes, [](storage::write const& write) {
            return write.row.find(flow::embedding_kind) != std::string::npos;
        });
    }
    queue::outcome embed(fake_record& record, int dies_at_commit = 0) {
        auto services = assistant_services(w.table, w.chat, w.clock, w.random, {.model = &w.model});
        services.embedder = &embedder;
        auto const kind = flow::make_memory_embeddings(services);
        queue::job own;
        own.id = job_id{1'000};
        own.input = json::object{{"again", false}};
        fake_workflow steps{own, record};
        steps.dies_at_commit = dies_at_commit;
        queue::workflow handle{steps};
        auto outcome = w.io.run(kind.run(handle));
        steps.finish(outcome);
        return outcome;
    }
};

storage::rows two_bare(int first) {
    return {
        storage::row{{"0", std::to_string(first), "The dog is called Rex."}},
        storage::row{{"0", std::to_string(first + 1), "The cat is called Tom."}}};
}

std::vector<std::int64_t> kept(fake_record const& record) {
    std::vector<std::int64_t> ids;
    for (auto const& write : record.writes)
        if (write.statement->name == "keep_memory_vector")
            ids.push_back(json::parse(write.row).at("memory_id").as_int64());
    return ids;
}

TEST(memory_embedding, of_a_question_is_searched_beside_its_words_and_paid_with_the_step) {
    embedding_world e;

    e.turn();

    EXPECT_THAT(e.embedder.asked, ElementsAre(ElementsAre("What is my dog called?")));
    EXPECT_EQ(e.embedder.longest.count(), 200) << "two thirds of the time that a recall may take";
    ASSERT_THAT(e.w.table.recalls, SizeIs(1));
    EXPECT_EQ(e.w.table.recalls.front().at("vector"), "[0.5,1]");
    EXPECT_EQ(e.w.record.paid.tokens_in, 7 + 10) << "with the model's";
}

TEST(memory_embedding, that_fails_leaves_the_words_and_is_told_of_in_every_run) {
    embedding_world e;
    e.embedder.failure = base::error(base::errc::timeout);
    e.w.table.memories = {storage::row{
        {"0", "3", "note", "The dog is called Rex.", "2026-03-01T10:00:00Z", "900000"}}};

    for (int run = 1; run <= 2; ++run) {
        auto const outcome = e.turn();
        ASSERT_TRUE(outcome.degraded) << run;
        EXPECT_EQ(outcome.degraded->reason, "memory_degraded");
        EXPECT_EQ(noted(outcome, "memory_degraded"), "timeout");
    }
    EXPECT_FALSE(e.w.table.recalls.front().contains("vector"));
    EXPECT_THAT(e.w.model.requests.back().trailing_context, HasSubstr("Rex"));
    EXPECT_THAT(e.embedder.asked, SizeIs(1));
}

TEST(memory_embedding, of_memories_begins_where_the_person_has_some_without) {
    embedding_world none;
    none.turn();
    EXPECT_EQ(none.jobs_of_turn(), 0);

    embedding_world some;
    some.w.table.lacks_vectors = true;
    some.turn();
    EXPECT_EQ(some.jobs_of_turn(), 1);
}

TEST(memory_embedding, goes_batch_by_batch_and_pays_for_none_twice) {
    for (int commit = 1; commit <= 2; ++commit) {
        embedding_world e;
        e.w.table.bare = {two_bare(1), two_bare(3)};
        fake_record record;
        EXPECT_THROW(e.embed(record, commit), fake_workflow::died);
        bool const has_first = record.steps.contains("embed:1");
        e.w.table.bare = {two_bare(has_first ? 3 : 1)};
        if (!has_first) e.w.table.bare.push_back(two_bare(3));

        auto const outcome = e.embed(record);

        EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
        EXPECT_THAT(kept(record), ElementsAre(1, 2, 3, 4)) << commit;
        EXPECT_THAT(e.embedder.asked, SizeIs(3)) << "the one in flight is asked for again";
        EXPECT_EQ(outcome.output.at("memories"), 4);
    }
}

TEST(memory_embedding, ends_where_nothing_lacks_a_vector_and_fails_with_its_server) {
    embedding_world e;
    fake_record nothing;
    EXPECT_EQ(e.embed(nothing).state, queue::job_state::completed);
    EXPECT_THAT(e.embedder.asked, IsEmpty());

    e.w.table.bare = {two_bare(1)};
    e.embedder.failure = base::error(base::errc::unauthorized);
    fake_record record;
    EXPECT_EQ(e.embed(record).state, queue::job_state::failed);
    EXPECT_THAT(kept(record), IsEmpty());
}

} // namespace
} // namespace postrider::tests::memory_embedding_test
