// A turn that asks and waits, in a lane where messages queue up: nobody waits behind its question.
#include "base/fault.hpp"
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::question_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::ElementsAre;

constexpr auto dropped = "dropped: stale: another message came instead of an answer";

// Of somebody who was not asked.
bool is_of_ben(boost::json::value const& message) {
    return message.at("input").as_string().starts_with("Ben: ");
}

// The person can read the question from here on.
awaitable<void> show_question(workflow& flow, latch& door) {
    queue::commit_with shown;
    shown.effects.push_back({.key = "show", .kind = "test", .request = nullptr});
    (void)co_await flow.commit(std::move(shown));
    co_await flow.perform("show", {}, [&] { return pass_through(door, "shown"); });
}

// "yes" answers the question; whatever else comes is heard.
awaitable<outcome> confirm(workflow& flow, diary& book, latch& door) {
    auto const said = std::string(flow.job().input.as_string());
    if (said != "delete it" && said != "delete it, but ask me") {
        co_await step(flow, book, "hear " + said);
        co_return outcome::completed();
    }
    if (said == "delete it")
        co_await flow.run("look", {}, [&] { return pass_through(door, "looked"); });
    else
        co_await show_question(flow, door);
    queue::awaited_event answer{.type = "confirmed", .timeout = 1h};
    answer.answered_by = [](boost::json::value const& message) {
        return message.at("input") == "yes" && message.at("text") == "words of yes";
    };
    answer.concerned_by = [](boost::json::value const& message) { return !is_of_ben(message); };
    auto reply = co_await flow.wait_for_event("question", std::move(answer));
    book.push_back(reply ? "confirmed" : "dropped: " + to_string(reply.error()));
    co_return outcome::completed();
}

awaitable<void> ask_beside(workflow& flow) {
    queue::awaited_event answer{.type = "confirmed", .timeout = 1h};
    answer.answered_by = [](boost::json::value const& message) {
        return message.at("input") == "yes";
    };
    answer.concerned_by = [](boost::json::value const& message) { return !is_of_ben(message); };
    (void)co_await flow.wait_for_event("ask/question", std::move(answer));
}

awaitable<void> rest_beside(workflow& flow) {
    co_await flow.sleep("rest/rest", 1h);
}

// The question is asked in a branch.
awaitable<outcome> confirm_beside(workflow& flow, diary& book) {
    auto const said = std::string(flow.job().input.as_string());
    if (said != "delete it") {
        co_await step(flow, book, said);
        co_return outcome::completed();
    }
    std::vector<queue::branch> branches{
        [&] { return ask_beside(flow); }, [&] { return rest_beside(flow); }};
    co_await flow.parallel(std::move(branches));
    co_return outcome::completed();
}

class question : public engine_fixture {
protected:
    question() {
        // As an intake does it: the job's message is committed with the job.
        w.execute(R"(create function say() returns trigger language plpgsql as $$ begin
            insert into postrider.message (lane_id, job_id, conversation_id, position, role, id, content)
            values (new.lane_id, new.job_id, new.conversation_id, 0, 'user', 'm', 'words of ' || (new.input #>> '{}'));
            return new; end $$)");
        w.execute("create trigger say after insert on postrider.job for each row execute function "
                  "say()");
    }

    void say(std::string const& text) {
        w.enqueue(engine_node, lane, "turn", boost::json::value(text));
        engine_node.engine->wake();
    }
    void ask() {
        say("delete it");
        door.let_go();
        w.until("select state from postrider.job", "waiting");
    }
    // The id of the job that is over by then.
    std::string ask_behind_another() {
        say("hello");
        until_completed(1);
        auto const older = w.value("select job_id from postrider.job");
        say("delete it");
        door.let_go();
        w.until("select state from postrider.job order by job_id desc limit 1", "waiting");
        return older;
    }
    void operate(std::string const& function, std::string const& of) {
        w.execute("select postrider." + function + "(" + of + ")");
        engine_node.engine->wake();
    }
    // And its job waits on.
    void until_heard(std::string const& text) {
        w.until(
            "select heard_to = (select job_id from postrider.job where input #>> '{}' = '" + text +
                "') from postrider.wait",
            "t"
        );
        w.until("select state from postrider.job where input #>> '{}' = 'delete it'", "waiting");
        EXPECT_TRUE(book.empty() || book.back() == "hear hello");
    }
    void until_completed(int jobs) {
        w.until(
            "select count(*) from postrider.job where state = 'completed'", std::to_string(jobs)
        );
        EXPECT_EQ(w.value("select count(*) from postrider.wait"), "0");
        EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
    }

    diary book;
    latch door{w.io};
    node& engine_node =
        w.start_node({{"turn", [this](workflow& flow) { return confirm(flow, book, door); }}});
    lane_id lane = w.make_lane("a");
};

} // namespace

TEST_F(question, is_answered_by_the_next_message_that_is_an_answer) {
    ask();
    say("yes");
    say("thanks");
    until_completed(3);
    EXPECT_THAT(book, ElementsAre("confirmed", "hear thanks"));
    EXPECT_EQ(w.value("select count(*) from postrider.job where output ? 'routed_to'"), "1");
}

TEST_F(question, ends_when_another_message_comes_which_then_has_its_turn) {
    ask();
    say("what is the weather");
    until_completed(2);
    EXPECT_THAT(book, ElementsAre(dropped, "hear what is the weather"));
    EXPECT_EQ(w.value("select error_class from postrider.step where key = 'question'"), "stale");
}

// The run reads what its record has, and not that the time was up.
TEST_F(question, that_another_message_has_ended_is_told_so_though_the_commits_answer_was_lost) {
    ask();
    base::fault::arm("checkpoint.after_commit:error").value();
    say("what is the weather");
    until_completed(2);
    base::fault::arm("").value();
    EXPECT_THAT(book, ElementsAre(dropped, "hear what is the weather"));
}

TEST_F(question, is_not_ended_by_messages_that_do_not_concern_it) {
    ask();
    say("Ben: yes");
    until_heard("Ben: yes");
    say("Ben: hello");
    say("yes");
    until_completed(4);
    EXPECT_THAT(book, ElementsAre("confirmed", "hear Ben: yes", "hear Ben: hello"));
}

TEST_F(question, is_not_ended_by_such_a_message_that_came_before_it) {
    say("delete it");
    w.until([&] { return door.arrived == 1; });
    say("Ben: hello");
    door.let_go();
    until_heard("Ben: hello");
    say("what is the weather");
    until_completed(3);
    EXPECT_THAT(book, ElementsAre(dropped, "hear Ben: hello", "hear what is the weather"));
}

TEST_F(question, rests_while_such_messages_wait_behind_it) {
    auto const older = ask_behind_another();
    say("Ben: yes");
    until_heard("Ben: yes");
    operate("lane_pause", "'a'");
    operate("job_restart", older);
    operate("lane_resume", "'a'");
    w.until("select count(*) from postrider.job where state = 'completed'", "1");
    w.until(
        "select wants_mail from postrider.busy_lane where ready_at > now() + interval '1 min'", "t"
    );

    w.pass("2 hours");
    until_completed(3);
    EXPECT_THAT(
        book,
        ElementsAre(
            "hear hello",
            "hear hello",
            "dropped: timeout: no event confirmed in time",
            "hear Ben: yes"
        )
    );
}

TEST_F(question, is_not_answered_by_a_message_that_came_before_it) {
    say("delete it");
    w.until([&] { return door.arrived == 1; });
    say("yes");
    door.let_go();
    until_completed(2);
    EXPECT_THAT(book, ElementsAre(dropped, "hear yes"));
}

// A person may read it, and answer, before the wait is recorded.
TEST_F(question, is_answered_by_a_message_that_came_once_it_was_shown) {
    say("delete it, but ask me");
    w.until([&] { return door.arrived == 1; });
    say("yes");
    door.let_go();
    until_completed(2);
    EXPECT_THAT(book, ElementsAre("confirmed"));
}

TEST_F(question, takes_its_event_before_it_looks_at_a_message) {
    ask();
    w.execute("update postrider.lane_run set ready_at = 'infinity'");
    w.execute("select postrider.job_send_event(job_id, 'confirmed', '{}') from postrider.job");
    w.enqueue(engine_node, lane, "turn", "and now");
    w.execute("update postrider.lane_run set ready_at = now()");
    engine_node.engine->wake();
    until_completed(2);
    EXPECT_THAT(book, ElementsAre("confirmed", "hear and now"));
}

TEST_F(question, is_answered_after_its_job_was_paused) {
    ask();
    auto const job = w.value("select job_id from postrider.job");
    operate("job_pause", job);
    operate("job_resume", job);
    say("yes");
    until_completed(2);
    EXPECT_THAT(book, ElementsAre("confirmed"));
}

TEST_F(question, is_answered_by_a_message_that_came_while_its_lane_was_paused) {
    ask();
    operate("lane_pause", "'a'");
    say("yes");
    operate("lane_resume", "'a'");
    until_completed(2);
    EXPECT_THAT(book, ElementsAre("confirmed"));
}

TEST_F(question, is_answered_after_an_older_job_was_done_again) {
    auto const older = ask_behind_another();
    operate("job_restart", older);
    w.until("select head > " + older + " and node_id is null from postrider.busy_lane", "t");
    say("yes");
    until_completed(3);
    EXPECT_THAT(book, ElementsAre("hear hello", "hear hello", "confirmed"));
}

TEST_F(question, is_answered_by_a_message_that_came_while_an_older_job_was_done_again) {
    auto const older = ask_behind_another();
    operate("lane_pause", "'a'");
    operate("job_restart", older);
    say("yes");
    operate("lane_resume", "'a'");
    until_completed(3);
    EXPECT_THAT(book, ElementsAre("hear hello", "hear hello", "confirmed"));
}

// Work that came without a person's words, say by a schedule, waits for its turn.
TEST_F(question, is_not_ended_by_a_job_without_a_message) {
    ask();
    w.execute("drop trigger say on postrider.job");
    say("a schedule");
    w.until(
        "select wants_mail from postrider.busy_lane where ready_at > now() + interval '1 min'", "t"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.job where state = 'available'"), "1");
    w.execute("select postrider.job_send_event(job_id, 'confirmed', '{}') from postrider.job where "
              "state = 'waiting'");
    until_completed(2);
    EXPECT_THAT(book, ElementsAre("confirmed", "hear a schedule"));
}

// What answers no question does not wake the job that asks: it would look, and look again.
TEST_F(question, of_a_branch_rests_while_a_job_without_a_message_waits_behind_it) {
    world other;
    auto& node =
        other.start_node({{"turn", [this](workflow& flow) { return confirm_beside(flow, book); }}});
    auto const shared = other.make_lane("shared");
    other.enqueue(node, shared, "turn", "delete it");
    node.engine->wake();
    other.until("select state from postrider.job", "waiting");
    other.enqueue(node, shared, "turn", "a schedule");
    node.engine->wake();

    other.until("select run_no from postrider.job order by job_id limit 1", "2");
    other.until(
        "select ready_at > now() + interval '1 min' and node_id is null from postrider.busy_lane",
        "t"
    );
    EXPECT_EQ(
        other.value("select string_agg(state, ' ' order by job_id) from postrider.job"),
        "waiting available"
    );
}

TEST_F(question, of_a_branch_rests_while_a_message_that_does_not_concern_it_waits_behind_it) {
    world other;
    auto& node =
        other.start_node({{"turn", [this](workflow& flow) { return confirm_beside(flow, book); }}});
    other.execute(
        "create function say() returns trigger language plpgsql as $$ begin "
        "insert into postrider.message (lane_id, job_id, conversation_id, position, role, "
        "id, content) values (new.lane_id, new.job_id, new.conversation_id, 0, 'user', "
        "'m', 'words'); return new; end $$"
    );
    other.execute("create trigger say after insert on postrider.job for each row execute function "
                  "say()");
    auto const shared = other.make_lane("shared");
    other.enqueue(node, shared, "turn", "delete it");
    node.engine->wake();
    other.until("select state from postrider.job", "waiting");
    other.enqueue(node, shared, "turn", "Ben: yes");
    node.engine->wake();

    other.until(
        "select heard_to = (select max(job_id) from postrider.job) from postrider.wait", "t"
    );
    other.until(
        "select ready_at > now() + interval '1 min' and node_id is null from postrider.busy_lane",
        "t"
    );
    EXPECT_EQ(
        other.value("select string_agg(state, ' ' order by job_id) from postrider.job"),
        "waiting available"
    );
}

} // namespace postrider::tests::question_test
