// Documents that people sent in chats: read by a job that may die anywhere, and erased with the person.
#include "agent/flow/nodes/person_erasure.hpp"
#include "storage/stores/erasure.hpp"
#include "tests/integration/agent/knowledge_world.hpp"
#include "tests/support/word_places.hpp"

namespace postrider::tests::knowledge_sent_test {
namespace {

namespace flow = agent::flow;
namespace knowledge = agent::knowledge;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class knowledge_sent : public knowledge_fixture {
protected:
    void erase(user_id person) {
        // These jobs have no engine that ends them, and the words of a running one stay until it ends.
        w.execute("update postrider.job set state = 'completed', finished_at = postrider.now() "
                  "where finished_at is null");
        for (auto const place : storage::erasure_places) {
            std::optional<std::string> after;
            do {
                w.in_transaction([&](storage::transaction& tx) {
                    after = flow::erase_person(tx, place, person, after, 1000).goes_on;
                });
            } while (after);
        }
    }
    std::string of_document(std::string const& column) {
        return w.value("select " + column + " from postrider.document");
    }
};

TEST_F(knowledge_sent, are_read_once_wherever_their_job_dies) {
    bool died = true;
    int commit = 1;
    for (; died; ++commit) {
        w.execute("delete from postrider.document");
        chat.sent.clear();
        auto const job = send("fees.txt", "Fees are ten euros.");
        died = false;
        try {
            run(job, commit);
        } catch (fake_workflow::died const&) {
            died = true;
            EXPECT_EQ(run(job).state, queue::job_state::completed) << commit;
        }
        EXPECT_THAT(found("fees"), ElementsAre("fees.txt: Fees are ten euros.")) << commit;
        EXPECT_EQ(count("document_part"), "1") << commit;
        EXPECT_EQ(count("document_content"), "0") << commit;
        EXPECT_THAT(chat.sent, SizeIs(testing::Ge(1u))) << commit;
        EXPECT_THAT(chat.sent, SizeIs(testing::Le(2u))) << "the send in flight: " << commit;
    }
    EXPECT_GT(commit, 4) << "it commits step by step";
}

TEST_F(knowledge_sent, that_cannot_be_read_are_answered_so_wherever_their_job_dies) {
    bool died = true;
    for (int commit = 1; died; ++commit) {
        w.execute("delete from postrider.document");
        chat.sent.clear();
        auto const job = send("fees.txt", picture());
        died = false;
        try {
            run(job, commit);
        } catch (fake_workflow::died const&) {
            died = true;
            EXPECT_EQ(run(job).state, queue::job_state::completed) << commit;
        }
        EXPECT_EQ(of_document("state"), "failed") << commit;
        EXPECT_EQ(of_document("error_code"), "unsupported_document") << commit;
        ASSERT_THAT(chat.sent, SizeIs(testing::Ge(1u))) << commit;
        EXPECT_THAT(chat.sent.back().content.text, testing::EndsWith("is not supported."))
            << commit;
    }
}

TEST_F(knowledge_sent, of_the_same_bytes_stay_as_they_are) {
    ASSERT_EQ(run(send("fees.txt", "Fees are ten euros.")).state, queue::job_state::completed);

    ASSERT_EQ(run(send("fees.txt", "Fees are ten euros.")).state, queue::job_state::completed);

    EXPECT_EQ(of_document("state"), "ready");
    EXPECT_EQ(of_document("bytes"), "19");
    EXPECT_EQ(of_document("media_type"), "text/plain");
    EXPECT_THAT(found("fees"), SizeIs(1));
}

TEST_F(knowledge_sent, leave_no_word_where_their_sender_is_erased) {
    w.execute(word_places);
    ASSERT_EQ(
        run(send("sesame.md", "# Sesame\n\nThe word is sesame.")).state, queue::job_state::completed
    );
    EXPECT_THAT(w.value("select public.places_of('esame')"), HasSubstr("document_part"));
    EXPECT_THAT(found("sesame"), SizeIs(1));

    erase(user_id{7});

    EXPECT_EQ(w.value("select public.places_of('esame')"), "");
    EXPECT_THAT(found("sesame"), IsEmpty());
}

TEST_F(knowledge_sent, leave_no_word_where_their_sender_is_erased_before_they_are_read) {
    w.execute(word_places);
    auto const job = send("sesame.txt", "The word is sesame.");
    // Its bytes and its parts are stored, and nothing answers yet.
    EXPECT_THROW(run(job, 5), fake_workflow::died);

    erase(user_id{7});

    EXPECT_EQ(w.value("select public.places_of('esame')"), "");
}

TEST_F(knowledge_sent, leave_no_word_where_they_are_removed_and_not_yet_deleted) {
    w.execute(word_places);
    ASSERT_EQ(
        run(send("sesame.md", "# Sesame\n\nThe word is sesame.")).state, queue::job_state::completed
    );
    add_parts_to(1, "The word is sesame.");
    w.in_transaction([](storage::transaction& tx) { knowledge::remove_document(tx, 1); });
    ASSERT_THAT(w.value("select public.places_of('esame')"), HasSubstr("document_part"));

    erase(user_id{7});

    EXPECT_EQ(w.value("select public.places_of('esame')"), "");
}

TEST_F(knowledge_sent, are_erased_though_another_replaced_them_in_vain) {
    ASSERT_EQ(run(send("fees.txt", "Fees are ten euros.")).state, queue::job_state::completed);
    ASSERT_TRUE(read("fees.txt", picture()).output.as_object().contains("failed"));
    ASSERT_THAT(found("fees"), SizeIs(1)) << "what the person sent answers";

    erase(user_id{7});

    EXPECT_EQ(count("document"), "0");
    EXPECT_EQ(count("document_part"), "0");
}

TEST_F(knowledge_sent, are_erased_while_another_replaces_them) {
    ASSERT_EQ(run(send("fees.txt", "Fees are ten euros.")).state, queue::job_state::completed);
    auto const job = job_of(add("fees.txt", "Fees are two euros.").id);

    erase(user_id{7});

    EXPECT_THAT(found("fees"), IsEmpty());
    EXPECT_EQ(run(job).state, queue::job_state::completed);
    EXPECT_THAT(found("fees"), ElementsAre("fees.txt: Fees are two euros."));
}

TEST_F(knowledge_sent, that_replace_anothers_leave_it_where_their_sender_is_erased) {
    ASSERT_EQ(read("fees.txt", "Fees are two euros.").state, queue::job_state::completed);
    auto const job = send("fees.txt", "Fees are ten euros.");
    EXPECT_THROW(run(job, 4), fake_workflow::died) << "its parts are not stored";

    erase(user_id{7});
    run(job); // a run that had begun

    EXPECT_THAT(found("fees"), ElementsAre("fees.txt: Fees are two euros."));
    EXPECT_EQ(count("document_part"), "1");
    EXPECT_EQ(count("document_content"), "0");
    EXPECT_EQ(of_document("state"), "ready");
}

TEST_F(knowledge_sent, are_taken_by_no_collection_that_is_gone) {
    knowledge::new_document document;
    document.collection = 4'000;
    document.name = "fees.txt";
    document.bytes = "Fees.";
    w.in_transaction([&](storage::transaction& tx) {
        EXPECT_FALSE(knowledge::add_document(tx, document));
    });
    EXPECT_EQ(count("document"), "0");
}

} // namespace
} // namespace postrider::tests::knowledge_sent_test
