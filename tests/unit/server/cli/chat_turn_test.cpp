#include "server/cli/chat_turn.hpp"

#include <gtest/gtest.h>

namespace postrider::cli::chat_turn_test {
namespace {

terminal::chat_event event(std::string type, std::string data) {
    return terminal::read_chat_event({std::move(type), std::move(data)});
}

terminal::chat_event question(std::string id = "q") {
    return event(
        "message",
        R"({"id":")" + id +
            R"(","role":"assistant","content":"Tea?","buttons":[[{"text":"Yes","data":"q:yes"}],[{"text":"No","data":"q:no"}]]})"
    );
}

terminal::chat_event turn(std::string state) {
    return event("turn", R"({"job_id":7,"state":")" + state + R"("})");
}

class chat_turn_test : public testing::Test {
protected:
    chat_turn_test() {
        heard.begin();
        heard.hear(event("watching", R"({"job_id":7})"));
    }

    chat_turn heard;
};

TEST_F(chat_turn_test, is_over_when_its_own_turn_has_ended) {
    heard.hear(event("done", R"({"job_id":6,"reply":"of another one"})"));
    EXPECT_FALSE(heard.is_over());

    heard.hear(event("done", R"({"job_id":7,"reply":"42"})"));

    EXPECT_TRUE(heard.is_over());
    EXPECT_FALSE(heard.failure());
}

TEST_F(chat_turn_test, runs_from_when_it_is_named_until_it_waits_or_ends) {
    EXPECT_TRUE(heard.runs());
    heard.hear(question());
    heard.hear(turn("waiting"));
    EXPECT_FALSE(heard.runs());
    heard.note_answer();
    EXPECT_TRUE(heard.runs());
    heard.hear(event("done", R"({"job_id":7,"reply":"42"})"));
    EXPECT_FALSE(heard.runs());
    heard.begin();
    EXPECT_FALSE(heard.runs());
}

TEST_F(chat_turn_test, goes_on_in_the_turn_that_took_the_message_in) {
    heard.hear(event("done", R"({"job_id":7,"answered_by":9})"));
    EXPECT_FALSE(heard.is_over());

    heard.hear(event("failed", R"({"job_id":9,"detail":"Sorry."})"));

    EXPECT_TRUE(heard.is_over());
    EXPECT_EQ(heard.failure(), "Sorry.");
    heard.begin();
    EXPECT_FALSE(heard.is_over());
    EXPECT_FALSE(heard.failure());
}

// Ends that are committed together are told in the order of their jobs: the waiting turn is the
// older one.
TEST_F(chat_turn_test, is_over_when_the_turn_that_took_the_message_in_had_ended_before) {
    heard.hear(event("done", R"({"job_id":5,"reply":"Deleted."})"));
    EXPECT_FALSE(heard.is_over());

    heard.hear(event("done", R"({"job_id":7,"answered_by":5})"));

    EXPECT_TRUE(heard.is_over());
    EXPECT_FALSE(heard.failure());
}

TEST_F(chat_turn_test, knows_the_failure_of_a_turn_that_had_ended_before) {
    heard.hear(event("failed", R"({"job_id":5,"detail":"Sorry."})"));
    heard.hear(event("done", R"({"job_id":7,"answered_by":6})"));
    EXPECT_FALSE(heard.is_over());

    heard.hear(event("done", R"({"job_id":6,"answered_by":5})"));

    EXPECT_TRUE(heard.is_over());
    EXPECT_EQ(heard.failure(), "Sorry.");
}

TEST_F(chat_turn_test, forgets_the_ends_of_before_with_a_new_message) {
    heard.hear(event("done", R"({"job_id":8,"reply":"of another one"})"));

    heard.begin();
    heard.hear(event("watching", R"({"job_id":8})"));

    EXPECT_FALSE(heard.is_over());
}

TEST(chat_event, tells_a_pause_and_the_command_that_ends_it) {
    auto const all = event("turn", R"({"job_id":7,"state":"available","paused":"all"})");
    auto const lane =
        event("turn", R"({"job_id":7,"state":"available","paused":"lane","lane":"a b"})");

    EXPECT_EQ(pause_text(all), "everything is paused; `postrider resume` resumes it");
    EXPECT_EQ(pause_text(lane), "its lane is paused; `postrider lanes resume 'a b'` resumes it");
    EXPECT_EQ(pause_text(turn("available")), "");
}

TEST_F(chat_turn_test, asks_once_it_waits) {
    heard.hear(turn("running"));
    heard.hear(question());
    EXPECT_FALSE(heard.question()) << "its answer would come too early";

    heard.hear(turn("waiting"));

    ASSERT_TRUE(heard.question());
    EXPECT_EQ(heard.question()->id, "q");
}

TEST_F(chat_turn_test, does_not_ask_again_before_something_has_happened) {
    heard.hear(question());
    heard.hear(turn("waiting"));

    heard.note_answer();
    EXPECT_FALSE(heard.question());
    heard.hear(turn("waiting"));
    EXPECT_FALSE(heard.question());

    heard.hear(event("message", R"({"id":"all","role":"assistant","content":"All of it"})"));
    ASSERT_TRUE(heard.question()) << "it was no answer, and the question is still there";
    heard.hear(event("message", R"({"id":"q","role":"assistant","content":"Tea? Yes"})"));
    EXPECT_FALSE(heard.question());
}

TEST_F(chat_turn_test, does_not_wait_for_what_the_person_said_themselves) {
    heard.hear(question());
    heard.hear(turn("waiting"));
    heard.begin();
    heard.hear(event("watching", R"({"job_id":8})"));
    heard.hear(turn("waiting"));
    heard.hear(event("message", R"({"id":"y","role":"user","content":"yes"})"));

    EXPECT_FALSE(heard.question());
}

TEST(chat_event, is_read_tolerantly) {
    EXPECT_EQ(event("words", "no JSON").type, "");
    EXPECT_EQ(event("words", "[]").type, "");
    EXPECT_EQ(event("words", R"({"text":7})").text, "");
    EXPECT_FALSE(event("done", R"({"job_id":"x"})").job);
    EXPECT_EQ(event("step", R"({"job_id":7,"doing":"tool","tool":"clock"})").tool, "clock");
    auto const called = event(
        "message", R"({"id":"t","role":"tool","content":"42","tool":"sum","arguments":{"a":1}})"
    );
    EXPECT_EQ(called.message.arguments, R"({"a":1})");
}

TEST(chat_event, is_answered_by_number_or_in_words) {
    auto const asked = question().message;

    EXPECT_EQ(terminal::chosen_answer(asked, "2").value().data, "q:no");
    EXPECT_EQ(terminal::chosen_answer(asked, " yes ").value().data, "q:yes");
    for (auto const* other : {"", "0", "3", "2 of them", "maybe"})
        EXPECT_FALSE(terminal::chosen_answer(asked, other)) << other;
}

} // namespace
} // namespace postrider::cli::chat_turn_test
