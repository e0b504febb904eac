// Vectors of parts of documents: by another model, by a job that may die anywhere, and by a server that refuses some.
#include "tests/integration/agent/knowledge_world.hpp"

namespace postrider::tests::knowledge_vectors_test {
namespace {

namespace knowledge = agent::knowledge;

class knowledge_vectors : public knowledge_fixture {
protected:
    void SetUp() override {
        if (!has_vectors) GTEST_SKIP() << "Postgres has no pgvector";
    }
    // A part for each section, in several batches.
    static std::string sections(int number) {
        std::string text;
        for (int section = 1; section <= number; ++section)
            text +=
                fmt::format("# Section {}\n\nThe lighthouse has keeper {}.\n\n", section, section);
        return text;
    }
    std::string vectors() { return count("document_embedding where embedding is not null"); }
    bool lacks_some() {
        bool lacks = false;
        w.in_transaction([&](storage::transaction& tx) {
            lacks = knowledge::lacks_part_vectors(tx);
        });
        return lacks;
    }
};

TEST_F(knowledge_vectors, of_a_new_model_are_all_made_wherever_their_job_dies) {
    ASSERT_EQ(read("keepers.md", sections(150)).state, queue::job_state::completed);
    auto const all = count("document_part");
    ASSERT_GT(std::stoi(all), 128) << "three batches";

    bool died = true;
    int commit = 1;
    for (; died; ++commit) {
        use_model(fmt::format("model/{}", commit));
        EXPECT_EQ(vectors(), "0") << "those of the other model are gone";
        auto const job = embed_later();
        embedder.calls = 0;
        died = false;
        try {
            run(job, commit);
        } catch (fake_workflow::died const&) {
            died = true;
            EXPECT_EQ(run(job).state, queue::job_state::completed) << commit;
        }
        EXPECT_EQ(vectors(), all) << commit;
        EXPECT_LE(embedder.calls, 4) << "the call in flight alone is paid twice: " << commit;
        EXPECT_FALSE(lacks_some()) << commit;
    }
    EXPECT_GT(commit, 10) << "it commits few vectors at a time";
}

TEST_F(knowledge_vectors, are_made_anew_by_a_job_whose_model_was_changed_meanwhile) {
    ASSERT_EQ(read("keepers.md", sections(150)).state, queue::job_state::completed);
    auto const all = count("document_part");
    use_model("model/a");
    auto const job = embed_later();
    EXPECT_THROW(run(job, 3), fake_workflow::died) << "some vectors are stored";

    use_model("model/b");
    EXPECT_EQ(run(job).state, queue::job_state::completed);

    EXPECT_EQ(vectors(), all) << "also of the parts that model/a had had";
}

TEST_F(knowledge_vectors, of_a_document_are_made_anew_by_a_job_whose_model_was_changed_meanwhile) {
    ASSERT_EQ(read("keepers.md", sections(150)).state, queue::job_state::completed);
    auto const job = embedding_of(1);
    EXPECT_THROW(run(job, 3), fake_workflow::died);
    ASSERT_NE(vectors(), "0") << "some are stored";

    use_model("model/b");
    EXPECT_EQ(run(job).state, queue::job_state::completed);

    EXPECT_EQ(vectors(), count("document_part"));
}

TEST_F(knowledge_vectors, of_other_parts_are_made_where_the_server_refuses_one) {
    embedder.refuses = "keeper 70.";

    read("keepers.md", sections(150));

    auto const outcome = run(embedding_of(1));

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_TRUE(outcome.degraded) << "one part is found by its words alone";
    auto const all = std::stoi(count("document_part"));
    EXPECT_EQ(vectors(), std::to_string(all - 1));
    EXPECT_FALSE(lacks_some()) << "what is refused is not asked for at each start";
    w.in_transaction([](storage::transaction& tx) { knowledge::forget_refused_parts(tx); });
    EXPECT_TRUE(lacks_some()) << "but when people want it";
    embedder.refuses.clear();
    EXPECT_EQ(run(embed_later()).state, queue::job_state::completed);
    EXPECT_EQ(vectors(), std::to_string(all));
}

TEST_F(knowledge_vectors, follow_where_the_server_was_away_while_a_document_was_read) {
    embedder.failure = base::error(base::errc::unavailable);
    EXPECT_FALSE(read("keepers.md", sections(3)).degraded) << "it is ready all the same";
    EXPECT_TRUE(run(embedding_of(1)).degraded);
    EXPECT_EQ(vectors(), "0");

    embedder.failure.reset();
    auto const job = w.value("select job_id from postrider.job where kind = 'knowledge.embed' and "
                             "not input ? 'document_id'");
    ASSERT_FALSE(job.empty()) << "it waits longer for the server";
    EXPECT_EQ(run(job).state, queue::job_state::completed);

    EXPECT_EQ(vectors(), count("document_part"));
}

TEST_F(knowledge_vectors, that_are_far_find_nothing_without_a_word_of_the_question) {
    read("fees.txt", "Fees are ten euros.");
    run(embedding_of(1));

    question_vector = "[0.9,0.1,0]";
    EXPECT_THAT(found("What does it cost?"), testing::SizeIs(1)) << "near enough, without a word";
    question_vector = "[0.1,0.9,0]";
    EXPECT_THAT(found("What does it cost?"), testing::IsEmpty());
    EXPECT_THAT(found("What are the fees?"), testing::SizeIs(1)) << "a word is enough";
}

TEST_F(knowledge_vectors, are_left_out_where_they_are_in_use_no_more) {
    read("fees.txt", "Fees are ten euros.");
    has_vectors = false;

    auto const outcome = run(embedding_of(1));

    EXPECT_EQ(outcome.state, queue::job_state::completed) << "no dead letter for each document";
    EXPECT_EQ(outcome.output.at("parts"), 0);
}

TEST_F(knowledge_vectors, of_another_model_are_no_reason_to_make_none) {
    auto const before = embed_later();
    EXPECT_EQ(embed_later(), before) << "one is at it";

    use_model("model/b");

    EXPECT_NE(embed_later(), before);
}

} // namespace
} // namespace postrider::tests::knowledge_vectors_test
