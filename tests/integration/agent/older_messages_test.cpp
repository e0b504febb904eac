// What a job reads of a lane's older messages for long-term memories, and how far it has come.
#include "agent/recall/older_messages.hpp"
#include "storage/stores/messages.hpp"
#include "tests/integration/agent/memories_world.hpp"

namespace postrider::tests::older_messages_test {
namespace {

using namespace std::chrono_literals;
namespace recall = agent::recall;

class older_messages : public memories_fixture {
protected:
    older_messages() { said_by(user_id{5}, "Her cat is called Tom."); }

    recall::older_amount amount(job_id until = job_id{10'000}) {
        return w.io.run(recall::measure_older(*node_->quick, lane_, until, 100, 5s)).value();
    }
    std::vector<recall::older_message> read(int most = 100, std::int64_t bytes = 100'000) {
        return w.io.run(recall::read_older(*node_->quick, lane_, job_id{10'000}, most, bytes, 5s))
            .value();
    }
    void summarise(std::vector<recall::older_message> const& messages, std::string key) {
        recall::new_memory summary{.key = key, .owner = {bot_id{1}, user_id{5}, {}}};
        summary.kind = recall::memory_kind::summary;
        summary.text = "They spoke of pets.";
        summary.needs_sources = true;
        for (auto const& message : messages) summary.sources.push_back(message.place);
        commit({recall::add_memory(summary), recall::note_read(summary.sources.back(), key)});
    }
};

// covers: S0.12
TEST_F(older_messages, are_those_behind_the_last_that_was_read_and_before_the_window) {
    EXPECT_EQ(amount().messages, 2);
    EXPECT_EQ(
        amount().bytes, std::ssize(std::string("Please remember this.Her cat is called Tom."))
    );
    EXPECT_EQ(amount(job_.id).messages, 1);
    auto const all_of_them = read();
    ASSERT_EQ(all_of_them.size(), 2u);
    EXPECT_EQ(all_of_them.front().text, "Please remember this.");
    EXPECT_TRUE(all_of_them.front().is_persons);
    EXPECT_EQ(all_of_them.front().day.size(), 10u);
    EXPECT_EQ(read(1).size(), 1u);
    EXPECT_EQ(read(100, 1).size(), 1u) << "at least one";

    summarise(read(1), "job:1");

    EXPECT_EQ(amount().messages, 1);
    ASSERT_EQ(read().size(), 1u);
    EXPECT_EQ(read().front().text, "Her cat is called Tom.");
}

// covers: X.10
TEST_F(older_messages, of_a_summary_that_goes_are_summarised_again_as_far_as_they_are_left) {
    summarise(read(), "job:1");
    EXPECT_EQ(amount().messages, 0);

    w.execute(
        "update postrider.message set removed_at = postrider.now() where content like 'Please%'"
    );

    EXPECT_EQ(count(), "0");
    ASSERT_EQ(read().size(), 1u);
    EXPECT_EQ(read().front().text, "Her cat is called Tom.");
}

// Else each turn would begin a job that finds nothing to read.
TEST_F(older_messages, that_a_later_summary_covers_are_not_counted_once_the_rest_is_read) {
    summarise(read(1), "job:1");
    summarise(read(1), "job:2");
    w.execute("update postrider.message set content = 'Another text' where content like 'Please%'");
    EXPECT_EQ(amount().messages, 2);
    commit({recall::note_all_read(lane_, job_id{10'000})});
    ASSERT_EQ(read().size(), 1u) << "what is unread is not passed over";

    summarise(read(), "job:3");
    EXPECT_EQ(amount().messages, 1);
    EXPECT_EQ(read().size(), 0u);
    commit({recall::note_all_read(lane_, job_id{10'000})});

    EXPECT_EQ(amount().messages, 0);
}

// covers: X.10
TEST_F(older_messages, that_changed_while_they_were_read_are_read_again) {
    auto const messages = read();
    w.execute("update postrider.message set content = 'Another text' where content like 'Please%'");

    summarise(messages, "job:1");

    EXPECT_EQ(count(), "0");
    EXPECT_EQ(amount().messages, 2);
}

TEST_F(older_messages, without_words_are_not_counted) {
    said_by(user_id{5}, "");

    EXPECT_EQ(amount().messages, 2);
    EXPECT_EQ(read().size(), 2u);
}

// covers: S0.12
TEST_F(older_messages, at_which_jobs_fail_wait_and_are_skipped_at_last) {
    auto const fail = [this](int job, base::errc code) {
        auto const row =
            recall::note_failed_reading(lane_, job_id{job}, code, code == base::errc::invalid);
        commit({row});
        commit({row});
    };
    auto const failures = [this](std::string const& column) {
        return w.value("select " + column + " from postrider.memory_failures");
    };
    auto const refusals = [this] {
        return w.io.run(recall::read_refusals(*node_->quick, lane_, 5s)).value();
    };
    auto const messages = read();
    EXPECT_EQ(refusals(), 0);

    fail(500, base::errc::invalid);
    EXPECT_EQ(failures("failures || ' ' || error_class || ' ' || job_id"), "1 invalid 500")
        << "a job counts once";
    EXPECT_EQ(amount().messages, 0) << "no job begins now";
    EXPECT_EQ(read().size(), 2u);
    fail(501, base::errc::timeout);
    EXPECT_EQ(failures("failures"), "2");
    EXPECT_EQ(refusals(), 1);
    EXPECT_EQ(
        failures("retry_at > postrider.now() + interval '15 minutes' and "
                 "retry_at < postrider.now() + interval '21 minutes'"),
        "t"
    );
    w.execute("update postrider.memory_progress set retry_at = postrider.now()");
    EXPECT_EQ(amount().messages, 2);

    commit({recall::skip_read(messages.front().place, 1)});
    commit({recall::skip_read(messages.front().place, 1)});
    EXPECT_EQ(failures("failures || ' ' || skipped"), "0 1");
    EXPECT_EQ(refusals(), 0);
    EXPECT_EQ(amount().messages, 1);

    fail(502, base::errc::invalid);
    summarise(read(), "job:1");
    EXPECT_EQ(failures("failures || ' ' || skipped"), "0 1");
}

// What the history tells of memories beside a turn's first message.
TEST_F(older_messages, are_counted_with_the_history) {
    auto const outlook = [this] {
        auto const question = job_.id;
        return w.io
            .run(storage::read_history(
                *node_->quick,
                lane_,
                conversation_id{1},
                question,
                1,
                5s,
                std::nullopt,
                storage::memory_look{user_id{5}, {}, bot_id{1}}
            ))
            .value()
            .memories.value();
    };
    said_by(user_id{5}, "And now?");
    auto const before = outlook();
    EXPECT_FALSE(before.has_memories);
    EXPECT_EQ(before.older.messages, 1) << "the history has the other one";
    EXPECT_EQ(before.older.bytes, std::ssize(std::string("Please remember this.")));

    remember("The dog is called Rex.");
    EXPECT_TRUE(outlook().has_memories);
    EXPECT_TRUE(outlook().lacks_vectors);
    commit({recall::note_failed_reading(lane_, job_id{500}, base::errc::timeout, false)});
    EXPECT_TRUE(outlook().waits);
    EXPECT_EQ(outlook().older.messages, 0);
}

TEST_F(older_messages, that_another_summary_covers_are_not_read_twice) {
    auto const messages = read();
    summarise({messages[0]}, "job:1");
    summarise({messages[1]}, "job:2");
    w.execute("update postrider.message set content = 'Another text' where content like 'Please%'");

    ASSERT_EQ(read().size(), 1u);
    EXPECT_EQ(read().front().text, "Another text");
}

} // namespace
} // namespace postrider::tests::older_messages_test
