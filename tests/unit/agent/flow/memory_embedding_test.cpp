// Memories found by meaning: the vector of a question, and the job that makes those of memories.
#include "agent/flow/nodes/embedding_job.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/memory_embedder.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/scripted_embedder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include <algorithm>

namespace postrider::tests::memory_embedding_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct embedding_world {
    flow_world w;
    scripted_embedder embedder;
    bool audits_in_full = false;

    embedding_world() : embedding_world("memory.long_term") {}
    // With that part of the agent.
    explicit embedding_world(std::string const& part)
        : w(flow_builder("meaning")
                .trigger("In", "telegram.message")
                .agent("Ask", {{"prompt", "What is my dog called?"}})
                .part("Long", part)
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
    queue::outcome embed(
        fake_record& record, int dies_at_commit = 0, bool again = false, json::value input = nullptr
    ) {
        auto services = assistant_services(w.table, w.chat, w.clock, w.random, {.model = &w.model});
        services.embedder = &embedder;
        services.audit_in_full = audits_in_full;
        if (input.is_null()) input = json::object{{"again", again}};
        return w.run_job(
            flow::make_memory_embeddings(services), std::move(input), record, dies_at_commit
        );
    }
};

storage::rows two_bare(int first) {
    return {
        storage::row{{"0", std::to_string(first), "The dog is called Rex."}},
        storage::row{{"0", std::to_string(first + 1), "The cat is called Tom."}}};
}

auto named_statement(std::string_view name) {
    return testing::Truly([name](storage::write const& write) {
        return write.statement->name == name;
    });
}

std::vector<std::int64_t> memories_with_vectors(fake_record const& record) {
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

// covers: X.21
TEST(memory_embedding, of_a_question_is_in_the_audit_as_a_call_of_a_model) {
    embedding_world e;

    e.turn();

    std::vector<std::string> audited;
    for (auto const& write : e.w.record.writes)
        if (write.statement->name.starts_with("record_audit") &&
            write.row.find("scripted/vectors") != std::string::npos)
            audited.push_back(write.row);
    ASSERT_THAT(audited, SizeIs(1));
    EXPECT_THAT(audited.front(), AllOf(HasSubstr("model_call"), HasSubstr("ask/recall-long-term")));
}

TEST(memory_embedding, of_what_the_tool_is_asked_is_paid_with_its_step) {
    embedding_world e("tool.recall");
    e.w.model.script = {calls({{"recall", {{"query", "dog"}}}}), says("Rex.")};

    e.turn();

    EXPECT_THAT(e.embedder.asked, ElementsAre(ElementsAre("dog")));
    ASSERT_THAT(e.w.table.recalls, SizeIs(1));
    EXPECT_EQ(e.w.table.recalls.front().at("vector"), "[0.5,1]");
    EXPECT_EQ(e.w.record.paid.tokens_in, 7 + 2 * 10) << "with the model's";
}

TEST(memory_embedding, of_nobodys_question_is_made_where_there_is_nothing_to_be_found) {
    embedding_world e;
    e.w.table.add(
        {{"id", "q"},
         {"lane_id", 1},
         {"job_id", base::raw(e.w.job.id)},
         {"position", 0},
         {"role", "user"},
         {"content", "What is my dog called?"}}
    );

    e.turn();

    EXPECT_THAT(e.embedder.asked, IsEmpty());
    EXPECT_EQ(e.w.table.memory_reads, 0);
}

TEST(memory_embedding, that_fails_leaves_the_words_and_is_told_of_in_every_run) {
    embedding_world e;
    e.embedder.failure = base::error(base::errc::timeout);
    e.w.table.memories = {storage::row{
        {"0", "3", "note", "The dog is called Rex.", "2026-03-01T10:00:00Z", "900000", "[7]"}}};

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

// Killed at each of its commits.
// covers: S0.12
TEST(memory_embedding, goes_batch_by_batch_and_pays_for_none_twice) {
    for (int n = 0; n < 6; ++n) {
        int const commit = 1 + n % 3;
        bool const again = n >= 3; // as `memory reembed` makes the job
        embedding_world e;
        e.w.table.bare = {two_bare(1), two_bare(3)};
        fake_record record;
        EXPECT_THROW(e.embed(record, commit, again), fake_workflow::died);
        auto const done = std::ranges::count_if(record.steps, [](auto const& step) {
            return step.first.starts_with("embed:") && !step.second->is_null();
        });
        e.w.table.bare.clear();
        if (done < 1) e.w.table.bare.push_back(two_bare(1));
        if (done < 2) e.w.table.bare.push_back(two_bare(3));

        auto const outcome = e.embed(record, 0, again);

        EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
        EXPECT_THAT(memories_with_vectors(record), ElementsAre(1, 2, 3, 4)) << commit;
        EXPECT_THAT(e.embedder.asked, SizeIs(commit == 3 ? 2 : 3))
            << "the one in flight is asked for again";
        EXPECT_EQ(outcome.output.at("memories"), 4);
    }
}

TEST(memory_embedding, of_a_text_that_the_server_refuses_holds_up_no_other) {
    embedding_world e;
    e.w.table.bare = {
        {storage::row{{"0", "1", "The dog is called Rex."}},
         storage::row{{"0", "2", "refused"}},
         storage::row{{"0", "3", "The cat is called Tom."}}}};
    e.embedder.refuses = "refused";
    fake_record record;

    auto const outcome = e.embed(record);

    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_THAT(memories_with_vectors(record), ElementsAre(1, 3));
    EXPECT_EQ(outcome.output.at("memories"), 2);
    EXPECT_EQ(outcome.output.at("refused"), 1);
    std::vector<std::string> marked;
    for (auto const& write : record.writes)
        if (write.statement->name == "mark_refused_memory") marked.push_back(write.row);
    ASSERT_THAT(marked, SizeIs(1));
    EXPECT_EQ(json::parse(marked.front()).at("memory_id"), 2);
}

TEST(memory_embedding, that_the_server_refuses_for_all_marks_none) {
    for (auto const reason : {std::string_view(), agent::wrong_vector}) {
        embedding_world e;
        e.w.table.bare = {two_bare(1)};
        e.embedder.failure = base::error(base::errc::invalid, "no", reason);
        fake_record record;
        EXPECT_EQ(e.embed(record).state, queue::job_state::failed);
        EXPECT_THAT(record.writes, Not(Contains(named_statement("mark_refused_memory"))));
    }
}

// The configuration has another model by the time that the job goes on.
TEST(memory_embedding, begins_anew_with_a_model_that_was_configured_meanwhile) {
    embedding_world e;
    e.w.table.bare = {two_bare(1), two_bare(3)};
    fake_record record;
    EXPECT_THROW(e.embed(record, 2), fake_workflow::died);
    e.embedder.rename("scripted/others");
    e.w.table.bare = {two_bare(1), two_bare(3)};
    e.w.table.bare_asked.clear();

    e.embed(record);

    ASSERT_FALSE(e.w.table.bare_asked.empty());
    EXPECT_EQ(e.w.table.bare_asked.front().at("after"), 0);
    EXPECT_EQ(e.w.table.bare_asked.front().at("model"), "scripted/others")
        << "those of another model, too";
}

TEST(memory_embedding, of_very_many_memories_is_continued_by_another_job) {
    embedding_world e;
    for (int batch = 0; batch < 250; ++batch) e.w.table.bare.push_back(two_bare(1 + 2 * batch));
    fake_record record;

    auto const outcome = e.embed(record);

    EXPECT_EQ(outcome.output.at("memories"), 400);
    ASSERT_THAT(outcome.writes, SizeIs(2));
    auto const next = json::parse(outcome.writes.back().row);
    EXPECT_EQ(next.at("kind"), json::value(flow::embedding_kind));
    EXPECT_EQ(next.at("input").at("after"), 400);
    EXPECT_EQ(next.at("input").at("memories"), 400);
    EXPECT_THAT(outcome.writes.back().row, HasSubstr("memory:embed:missing:1"));

    embedding_world later;
    later.embedder.rename("scripted/others");
    fake_record second;
    later.embed(second, 0, false, next.at("input"));
    ASSERT_FALSE(later.w.table.bare_asked.empty());
    EXPECT_EQ(later.w.table.bare_asked.front().at("after"), 0) << "another model by now";
}

// What several people said does not stand beside the audit, where erasing one of them would not find it.
// covers: X.19
TEST(memory_embedding, of_memories_is_in_the_audit_without_their_texts) {
    embedding_world e;
    e.audits_in_full = true;
    e.w.table.bare = {two_bare(1)};
    fake_record record;

    e.embed(record);

    std::string audited;
    for (auto const& write : record.writes)
        if (write.statement->name.starts_with("record_audit")) audited += write.row;
    EXPECT_THAT(audited, AllOf(HasSubstr("memory 1"), HasSubstr("memory 2")));
    EXPECT_THAT(audited, Not(HasSubstr("Rex")));
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
    EXPECT_THAT(memories_with_vectors(record), IsEmpty());
}

} // namespace
} // namespace postrider::tests::memory_embedding_test
