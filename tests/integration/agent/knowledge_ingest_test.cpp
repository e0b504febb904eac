// How documents become parts that are found, in a real database: by a job that may die anywhere.
#include "agent/knowledge/document_rows.hpp"
#include "tests/integration/agent/knowledge_world.hpp"

namespace postrider::tests::knowledge_ingest_test {
namespace {

namespace knowledge = agent::knowledge;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class knowledge_ingest : public knowledge_fixture {
protected:
    std::string state(std::int64_t id, std::string const& column = "state") {
        return w.value(
            fmt::format("select {} from postrider.document where document_id = {}", column, id)
        );
    }
};

// So many paragraphs that they are several batches of parts.
std::string long_text() {
    std::string text;
    for (int paragraph = 1; paragraph <= 500; ++paragraph) {
        text += fmt::format("Paragraph {} tells of the lighthouse.", paragraph);
        for (int sentence = 0; sentence < 15; ++sentence)
            text += fmt::format(" Keeper {} writes {} lines.", sentence, paragraph * sentence);
        text += "\n\n";
    }
    return text;
}

TEST_F(knowledge_ingest, makes_parts_that_are_found_with_their_document) {
    auto const outcome = read("fees.txt", "The invoice is due after thirty days.");

    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_THAT(
        found("When are invoices due?"),
        ElementsAre("fees.txt: The invoice is due after thirty days.")
    );
    EXPECT_EQ(count("document_content"), "0") << "the bytes are needed no more";
    EXPECT_EQ(state(1), "ready");
    EXPECT_EQ(state(1, "parts_done"), "1");
}

TEST_F(knowledge_ingest, of_many_parts_is_gone_at_once_and_deleted_piece_by_piece) {
    read("fees.txt", "Fees are ten euros.");
    add_parts_to(1, "Fees are due.");
    w.in_transaction([](storage::transaction& tx) {
        EXPECT_TRUE(knowledge::remove_document(tx, 1));
        EXPECT_FALSE(knowledge::remove_document(tx, 1));
    });

    EXPECT_THAT(found("fees"), IsEmpty());
    EXPECT_EQ(count("document_part"), "1500") << "no transaction deletes more than a thousand";
    w.in_transaction([this](storage::transaction& tx) {
        EXPECT_THAT(knowledge::list_documents(tx, collection, {}), IsEmpty());
    });
    EXPECT_EQ(add("fees.txt", "Fees are two euros.").id, 2) << "its name is free";

    std::vector<std::int64_t> pieces;
    do {
        w.in_transaction([&](storage::transaction& tx) {
            pieces.push_back(knowledge::sweep_removed(tx));
        });
    } while (pieces.back() > 0);
    EXPECT_THAT(pieces, ElementsAre(1000, 501, 0));
    EXPECT_EQ(count("document_part"), "0");
    EXPECT_EQ(count("document"), "1");
}

TEST_F(knowledge_ingest, of_a_collection_goes_with_it_though_many_parts_are_left) {
    read("fees.txt", "Fees are ten euros.");
    add_parts_to(1, "Fees are due.");
    w.in_transaction([](storage::transaction& tx) {
        EXPECT_EQ(knowledge::remove_collection(tx, "docs"), 1);
        EXPECT_FALSE(knowledge::collection_id(tx, "docs"));
        EXPECT_FALSE(knowledge::collection_id(tx, "-")) << "where they wait";
        EXPECT_FALSE(knowledge::remove_collection(tx, "-"));
        EXPECT_THAT(knowledge::list_collections(tx), IsEmpty());
        EXPECT_THAT(knowledge::collection_options(tx, "", "", 10), IsEmpty());
    });

    EXPECT_EQ(count("document_part"), "1500");
    w.in_transaction([this](storage::transaction& tx) {
        collection = knowledge::find_or_create_collection(tx, "docs");
    });
    EXPECT_THAT(found("fees"), IsEmpty()) << "a new one of its name has nothing of it";
    EXPECT_EQ(w.value("select count(*) from postrider.audit where subject = 'collection:-'"), "0");
}

TEST_F(knowledge_ingest, is_followed_by_a_job_that_makes_the_vectors) {
    if (!has_vectors) GTEST_SKIP() << "Postgres has no pgvector";
    ASSERT_EQ(read("fees.txt", "Fees are ten euros.").state, queue::job_state::completed);
    EXPECT_EQ(count("document_embedding"), "0") << "it is ready without them";

    auto const outcome = run(embedding_of(1));

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_FALSE(outcome.degraded);
    w.in_transaction([this](storage::transaction& tx) {
        EXPECT_EQ(knowledge::find_document(tx, collection, 1)->embedded, 1);
    });
}

TEST_F(knowledge_ingest, doubles_nothing_and_pays_nothing_wherever_it_dies) {
    auto const text = long_text();
    auto const parts = [this] { return count("document_part"); };
    ASSERT_EQ(read("whole.txt", text).state, queue::job_state::completed);
    auto const whole = parts();
    ASSERT_GT(std::stoi(whole), 200) << "several batches";

    bool died = true;
    int commit = 1;
    for (; died; ++commit) {
        w.execute("delete from postrider.document");
        auto const added = add(fmt::format("{}.txt", commit), text);
        auto const job = job_of(added.id);
        died = false;
        try {
            run(job, commit);
        } catch (fake_workflow::died const&) {
            died = true;
            EXPECT_THAT(found("lighthouse"), IsEmpty()) << "it is not whole: " << commit;
            EXPECT_EQ(run(job).state, queue::job_state::completed) << commit;
        }
        EXPECT_EQ(parts(), whole) << commit;
        EXPECT_EQ(w.value("select count(distinct number) from postrider.document_part"), whole)
            << commit;
        EXPECT_THAT(found("lighthouse"), testing::Not(IsEmpty())) << commit;
    }
    EXPECT_GT(commit, 5) << "it commits batch by batch";
    EXPECT_EQ(embedder.calls, 0) << "another job makes the vectors";
}

TEST_F(knowledge_ingest, replaces_without_a_gap) {
    ASSERT_EQ(read("fees.txt", "Fees are ten euros.").state, queue::job_state::completed);
    auto const added = add("fees.txt", "Fees are twelve euros.");
    auto const job = job_of(added.id);

    EXPECT_EQ(added.id, 1);
    EXPECT_THAT(found("fees"), ElementsAre("fees.txt: Fees are ten euros."));
    for (int commit = 1;; ++commit) {
        try {
            run(job, commit);
            break;
        } catch (fake_workflow::died const&) {
            EXPECT_THAT(found("fees"), ElementsAre("fees.txt: Fees are ten euros.")) << commit;
        }
    }
    EXPECT_THAT(found("fees"), ElementsAre("fees.txt: Fees are twelve euros."));
    EXPECT_EQ(count("document_part"), "1") << "the older ones are gone";
}

TEST_F(knowledge_ingest, of_the_same_bytes_changes_nothing) {
    ASSERT_EQ(read("fees.txt", "Fees are ten euros.").state, queue::job_state::completed);
    auto const job = job_of(1);

    auto const again = add("fees.txt", "Fees are ten euros.", {{"team", "sales"}});

    EXPECT_TRUE(again.unchanged);
    EXPECT_EQ(job_of(1), job) << "no other job";
    EXPECT_EQ(state(1), "ready");
    EXPECT_EQ(state(1, "metadata"), "{\"team\": \"sales\"}") << "but for the metadata";
    EXPECT_FALSE(add("fees.txt", "Fees are twelve euros.").unchanged);
    EXPECT_TRUE(add("fees.txt", "Fees are twelve euros.").unchanged) << "it is being read";
}

TEST_F(knowledge_ingest, says_why_a_document_cannot_be_read_and_keeps_what_answers) {
    ASSERT_EQ(read("fees.txt", "Fees are ten euros.").state, queue::job_state::completed);

    auto const outcome = read("fees.txt", picture());

    EXPECT_EQ(outcome.state, queue::job_state::completed) << "no defect of the job";
    EXPECT_EQ(outcome.output.at("failed"), "unsupported_document");
    EXPECT_EQ(state(1), "failed");
    EXPECT_EQ(state(1, "error_code"), "unsupported_document");
    EXPECT_EQ(state(1, "error_message"), "This type of document is not supported.");
    EXPECT_EQ(count("document_content"), "0");
    EXPECT_THAT(found("fees"), ElementsAre("fees.txt: Fees are ten euros."));
    EXPECT_EQ(read("fees.txt", "Fees are two euros.").state, queue::job_state::completed);
    EXPECT_THAT(found("fees"), ElementsAre("fees.txt: Fees are two euros."));
}

TEST_F(knowledge_ingest, ends_with_its_document) {
    auto const added = add("fees.txt", "Fees are ten euros.");
    auto const job = job_of(added.id);
    w.in_transaction([&](storage::transaction& tx) {
        EXPECT_TRUE(knowledge::remove_document(tx, added.id));
        EXPECT_FALSE(knowledge::remove_document(tx, added.id));
    });

    EXPECT_EQ(w.value("select state from postrider.job where job_id = " + job), "cancelled");
    EXPECT_EQ(run(job).state, queue::job_state::cancelled) << "a run that had begun";
    EXPECT_EQ(count("document_part"), "0");
    EXPECT_EQ(
        w.value(
            "select string_agg(kind, ' ' order by number) from postrider.audit where lane_id = 0"
        ),
        "collection_create document_add document_remove"
    );
}

TEST_F(knowledge_ingest, without_vectors_leaves_the_words_and_their_job_is_degraded) {
    if (!has_vectors) GTEST_SKIP() << "Postgres has no pgvector";
    embedder.failure = base::error(base::errc::refused, "no such model");
    EXPECT_FALSE(read("fees.txt", "Fees are ten euros.").degraded);
    EXPECT_THAT(found("fees"), SizeIs(1));

    auto const outcome = run(embedding_of(1));

    EXPECT_EQ(outcome.state, queue::job_state::completed) << "no dead letter for each document";
    ASSERT_TRUE(outcome.degraded);
    EXPECT_EQ(outcome.degraded->reason, "knowledge_degraded");
    EXPECT_EQ(state(1), "ready");
    w.in_transaction([](storage::transaction& tx) {
        EXPECT_TRUE(knowledge::lacks_part_vectors(tx)) << "another job makes them later";
    });
}

TEST_F(knowledge_ingest, that_left_vectors_out_is_made_up_for_once_by_another_job) {
    if (!has_vectors) GTEST_SKIP() << "Postgres has no pgvector";
    read("a.txt", "Fees are ten euros.");
    read("b.txt", "Fees are twelve euros.");
    knowledge::part_embedding job;
    w.in_transaction([&](storage::transaction& tx) {
        job = knowledge::embed_parts_now(tx, embedder.name());
    });

    EXPECT_TRUE(job.created);
    EXPECT_THROW(run(base::to_string(job.job), 1), fake_workflow::died);
    auto const outcome = run(base::to_string(job.job));

    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_EQ(outcome.output.at("parts"), 2);
    EXPECT_EQ(count("document_embedding"), "2");
    EXPECT_EQ(embedder.calls, 2) << "the call in flight is made again";
    w.in_transaction([](storage::transaction& tx) {
        EXPECT_FALSE(knowledge::lacks_part_vectors(tx));
    });
}

TEST_F(knowledge_ingest, filters_by_metadata_and_stays_in_its_collection) {
    read("a.txt", "Fees are ten euros.", {{"team", "sales"}, {"year", 2026}});
    read("b.txt", "Fees are twelve euros.", {{"team", "support"}, {"year", 2026}});
    w.in_transaction([this](storage::transaction& tx) {
        collection = knowledge::find_or_create_collection(tx, "others");
    });
    read("c.txt", "Fees are two euros.", {{"team", "sales"}});

    EXPECT_THAT(found("fees"), ElementsAre(HasSubstr("two")));
    w.in_transaction([this](storage::transaction& tx) {
        collection = *knowledge::collection_id(tx, "docs");
    });
    EXPECT_THAT(found("fees"), SizeIs(2));
    EXPECT_THAT(found("fees", {{"team", "sales"}}), ElementsAre(HasSubstr("ten")));
    EXPECT_THAT(found("fees", {{"team", "sales"}, {"year", 2025}}), IsEmpty());
}

TEST_F(knowledge_ingest, of_what_a_person_sent_is_erased_with_them) {
    knowledge::sent_document sent;
    sent.collection = collection;
    sent.name = "private.txt";
    sent.file = "file-1";
    sent.sender = {user_id{7}, chat_id{7}, bot_id{1}};
    read("fees.txt", "Fees are ten euros.");
    w.in_transaction([&](storage::transaction& tx) {
        auto const row = knowledge::begin_sent(sent, job_id{4'000});
        tx.query(*row.statement, {"[" + row.row + "]"});
    });
    ASSERT_EQ(count("document"), "2");

    w.execute("select postrider.erase_rows(7)");

    EXPECT_EQ(w.value("select string_agg(name, ' ') from postrider.document"), "fees.txt");
    EXPECT_EQ(
        w.value("select detail ->> 'document' from postrider.audit where kind = 'erase'"), "1"
    );
}

TEST_F(knowledge_ingest, goes_on_where_the_database_was_away) {
    auto const added = add("fees.txt", "Fees are ten euros.");
    reads->failures = 2; // of looking for the document

    EXPECT_EQ(run(job_of(added.id)).state, queue::job_state::completed);

    EXPECT_THAT(found("fees"), SizeIs(1));
}

TEST_F(knowledge_ingest, is_not_done_twice_by_a_job_that_is_restarted) {
    ASSERT_EQ(read("fees.txt", "Fees are ten euros.").state, queue::job_state::completed);
    restart(job_of(1));
    EXPECT_EQ(run(job_of(1)).error, base::errc::refused);
    EXPECT_EQ(state(1), "ready");
    EXPECT_THAT(found("fees"), SizeIs(1));

    ASSERT_TRUE(read("b.txt", picture()).output.as_object().contains("failed"));
    auto const job = w.value("select job_id from postrider.document where name = 'b.txt'");
    restart(job);
    EXPECT_EQ(run(job).error, base::errc::refused);
    EXPECT_EQ(
        w.value("select error_code from postrider.document where name = 'b.txt'"),
        "unsupported_document"
    );
}

TEST_F(knowledge_ingest, that_nobody_does_any_more_has_failed) {
    auto const added = add("fees.txt", "Fees are ten euros.");
    w.execute("select postrider.job_cancel(" + job_of(added.id) + ")");
    w.execute("update postrider.document set updated_at = updated_at - interval '1 hour'");

    EXPECT_EQ(w.value("select postrider.fail_left_documents()"), "1");

    EXPECT_EQ(state(added.id), "failed");
    EXPECT_EQ(state(added.id, "error_code"), "stopped");
    EXPECT_EQ(w.value("select postrider.fail_left_documents()"), "0");
}

} // namespace
} // namespace postrider::tests::knowledge_ingest_test
