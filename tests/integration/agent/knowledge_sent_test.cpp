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
    // The tests run the jobs themselves.
    knowledge_sent() { w.execute("select postrider.pause_all()"); }

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
    // What the sender is told by a job of its own: the text, whose it is and where it stands.
    std::string notices() {
        return w.value(
            "select string_agg((j.input ->> 'text') || ' | ' || (j.input ->> 'user') || ' ' || "
            "(j.input ->> 'chat') || ' ' || (select l.lane_key from postrider.lane l where "
            "l.lane_id = (j.input ->> 'lane')::bigint), ', ') from postrider.job j where j.kind = "
            "'failure_notice'"
        );
    }
    // As a worker has it, which alone ends a job with rows of its own.
    void be_running(std::string const& job) {
        w.execute(
            "update postrider.job set state = 'running', run_no = 1, started_at = now() "
            "where job_id = " +
            job
        );
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

TEST_F(knowledge_sent, that_cannot_be_read_are_told_of_once_wherever_their_job_dies) {
    bool died = true;
    for (int commit = 1; died; ++commit) {
        w.execute("delete from postrider.document");
        auto const name = "scan" + std::to_string(commit) + ".txt";
        auto const job = send(name, picture());
        be_running(job);
        died = false;
        try {
            run(job, commit);
        } catch (fake_workflow::died const&) {
            died = true;
            EXPECT_EQ(run(job).state, queue::job_state::completed) << commit;
        }
        EXPECT_EQ(of_document("state"), "failed") << commit;
        EXPECT_EQ(of_document("error_code"), "unsupported_document") << commit;
        EXPECT_EQ(
            w.value(
                "select count(*) from postrider.job where kind = 'failure_notice' "
                "and input ->> 'text' like 'I could not read “" +
                name + "”: % is not supported.'"
            ),
            "1"
        ) << notices();
        EXPECT_THAT(chat.sent, IsEmpty()) << "the notice says it: " << commit;
    }
}

// The job has begun, and finds that it has nothing to read.
TEST_F(knowledge_sent, that_were_removed_under_their_job_are_told_of) {
    auto const job = send("fees.txt", "Fees are ten euros.");
    EXPECT_THROW(run(job, 3), fake_workflow::died);
    w.execute("delete from postrider.document");
    be_running(job);

    EXPECT_EQ(run(job).state, queue::job_state::cancelled);

    EXPECT_EQ(notices(), "Stopped: fees.txt | 7 7 1:7:0");
}

// No node has the job, so none could say it.
TEST_F(knowledge_sent, that_are_removed_while_their_job_waits_are_told_of) {
    EXPECT_THROW(run(send("fees.txt", "Fees are ten euros."), 3), fake_workflow::died);

    w.execute("select postrider.remove_document(document_id) from postrider.document");

    EXPECT_EQ(notices(), "Stopped: fees.txt | 7 7 1:7:0");
    EXPECT_EQ(
        w.value("select lane_key like 'failures:%' from postrider.lane where lane_id = (select "
                "lane_id from postrider.job where kind = 'failure_notice')"),
        "t"
    ) << "beside those that wait to be read";
    EXPECT_EQ(count("document"), "0");
}

TEST_F(knowledge_sent, whose_waiting_job_is_cancelled_are_told_of_once) {
    auto const job = send("fees.txt", "Fees are ten euros.");
    EXPECT_THROW(run(job, 3), fake_workflow::died);
    w.execute("select postrider.job_cancel(" + job + ")");
    w.execute("update postrider.document set updated_at = updated_at - interval '1 hour'");

    EXPECT_EQ(w.value("select postrider.fail_left_documents()"), "1");
    EXPECT_EQ(w.value("select postrider.fail_left_documents()"), "0");

    EXPECT_EQ(notices(), "Stopped: fees.txt | 7 7 1:7:0");
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
