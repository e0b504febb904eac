// Waiting for events on a real Postgres.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::event_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
namespace json = boost::json;

awaitable<outcome> ask_twice(workflow& flow, queue::awaited_event awaited) {
    auto first = co_await flow.wait_for_event("first", awaited);
    if (!first) co_return outcome::failed(first.error());
    auto second = co_await flow.wait_for_event("second", awaited);
    if (!second) co_return outcome::failed(second.error());
    co_return outcome::completed(json::array{*first, *second});
}

awaitable<outcome> ask_once(workflow& flow, queue::awaited_event awaited) {
    auto answer = co_await flow.wait_for_event("answer", std::move(awaited));
    if (!answer) co_return outcome::failed(answer.error());
    co_return outcome::completed(*answer);
}

queue::awaited_event of_type(std::string type, std::optional<std::string> match = {}) {
    return {std::move(type), std::move(match), 1h};
}

std::string deliver(std::string job, std::string type, std::string payload, std::string match) {
    return "select postrider.deliver_event(lane_id, " + job + ", '" + type + "', '" + payload +
           "', " + match + ") from postrider.lane";
}

TEST(event, of_a_job_with_too_many_steps_is_not_waited_for) {
    world w;
    auto& node =
        w.start_node({{"ask", [](workflow& f) { return ask_twice(f, of_type("answer")); }}});
    auto const job = base::to_string(w.enqueue(node, w.make_lane("a"), "ask").id);
    w.until("select state from postrider.job", "waiting");
    w.execute(deliver(job, "answer", "1", "null"));
    w.until(
        "select wait_reason || ' ' || (select count(*) from postrider.wait) from postrider.job",
        "event answer 1"
    );
    w.until("select count(*) from postrider.step", "1");
    w.until([&] { return node.engine->counts().busy == 0; });

    w.execute("update postrider.step set seq = 32000");
    w.execute(deliver(job, "answer", "2", "null"));

    w.until("select state from postrider.job", "failed");
    EXPECT_EQ(w.value("select error from postrider.job"), "a job has at most 32000 steps");
}

// covers: E.07
TEST(event, wakes_the_job_that_waits_for_it) {
    world w;
    auto& node =
        w.start_node({{"ask", [](workflow& f) { return ask_once(f, of_type("answer")); }}});
    auto const job = base::to_string(w.enqueue(node, w.make_lane("a"), "ask").id);
    w.until("select state from postrider.job", "waiting");
    w.until([&] { return node.engine->counts().busy == 0; });
    EXPECT_EQ(w.value("select wait_reason from postrider.job"), "event answer");
    EXPECT_EQ(w.value("select type from postrider.wait"), "answer");
    auto const since = w.value("select since from postrider.wait");

    w.execute(deliver(job, "answer", "{\"yes\": true}", "null"));
    node.engine->wake();
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(w.value("select output from postrider.job"), "{\"yes\": true}");
    EXPECT_EQ(
        w.value(
            "select (select count(*) from postrider.wait) + (select count(*) from postrider.event)"
        ),
        "0"
    );
    EXPECT_EQ(w.value("select result from postrider.step where key = 'answer'"), "{\"yes\": true}");
    EXPECT_EQ(
        w.value(
            "select started_at >= '" + since +
            "' and started_at < ended_at "
            "from postrider.step where key = 'answer'"
        ),
        "t"
    ) << "it began when the job began to wait";
}

// covers: E.07
TEST(event, that_comes_early_is_kept_and_consumed_once_in_order) {
    world w;
    latch door(w.io);
    auto& node =
        w.start_node({{"ask", [](workflow& f) { return ask_twice(f, of_type("answer")); }}});
    auto const lane = w.make_lane("a");
    w.execute(deliver("null", "answer", "1", "null"));
    w.execute(deliver("null", "other", "9", "null"));
    w.execute(deliver("null", "answer", "2", "null"));
    w.execute(deliver("null", "answer", "3", "null"));

    w.enqueue(node, lane, "ask");
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(w.value("select output from postrider.job"), "[1, 2]");
    EXPECT_EQ(w.value("select run_no from postrider.job"), "1") << "it never had to wait";
    EXPECT_EQ(
        w.value("select string_agg(type || payload, ' ' order by event_id) from postrider.event"),
        "other9 answer3"
    );
}

// covers: E.07
TEST(event, is_matched_by_its_id_where_one_is_asked_for) {
    world w;
    auto& node =
        w.start_node({{"ask", [](workflow& f) { return ask_once(f, of_type("approval", "b")); }}});
    auto const job = base::to_string(w.enqueue(node, w.make_lane("a"), "ask").id);
    w.until("select state from postrider.job", "waiting");

    w.execute(deliver(job, "approval", "\"for a\"", "'a'"));
    w.execute(deliver(job, "approval", "\"for nobody\"", "null"));
    EXPECT_EQ(w.value("select state from postrider.job"), "waiting") << "neither woke it";
    w.execute(deliver(job, "approval", "\"for b\"", "'b'"));
    node.engine->wake();
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(w.value("select output from postrider.job"), "\"for b\"");
}

TEST(event, with_an_id_is_not_consumed_by_a_wait_for_the_type_alone) {
    world w;
    auto& node =
        w.start_node({{"ask", [](workflow& f) { return ask_once(f, of_type("approval")); }}});
    auto const lane = w.make_lane("a");
    w.execute(deliver("null", "approval", "1", "'a'"));

    w.enqueue(node, lane, "ask");
    w.until("select state from postrider.job", "waiting");

    EXPECT_EQ(w.value("select count(*) from postrider.event"), "1");
}

// covers: E.07
TEST(event, that_does_not_come_ends_the_wait_with_a_timeout) {
    world w;
    auto& node =
        w.start_node({{"ask", [](workflow& f) { return ask_once(f, of_type("answer")); }}});
    w.enqueue(node, w.make_lane("a"), "ask");
    w.until("select state from postrider.job", "waiting");

    w.pass("61 min");
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(w.value("select error_class from postrider.job"), "timeout");
    EXPECT_EQ(w.value("select outcome from postrider.step where key = 'answer'"), "failed");
    EXPECT_EQ(w.value("select count(*) from postrider.wait"), "0");
}

awaitable<outcome> ask_and_note(workflow& flow, diary& book) {
    co_await step(flow, book, "before");
    auto answer = co_await flow.wait_for_event("answer", of_type("answer"));
    co_await step(flow, book, "after");
    co_return outcome::completed(*answer);
}

// covers: E.07
TEST(event, is_not_lost_with_the_node_that_was_to_be_woken) {
    world w;
    diary book;
    auto kind = [&](workflow& f) { return ask_and_note(f, book); };
    auto& zombie = w.start_zombie({{"ask", kind}});
    auto const job = base::to_string(w.enqueue(zombie, w.make_lane("a"), "ask").id);
    w.until("select state from postrider.job", "waiting");
    w.start_node({{"ask", kind}});
    w.silence_oldest();
    w.until("select count(*) from postrider.node", "1");

    w.execute(deliver(job, "answer", "5", "null"));
    w.until("select state from postrider.job", "completed");

    EXPECT_THAT(book, testing::ElementsAre("before", "after"));
    EXPECT_EQ(w.value("select output from postrider.job"), "5");
}

// Sends race with parks; each job must get its own event, whichever comes first.
// covers: E.07
TEST(event, is_found_whether_it_comes_before_or_while_the_job_parks) {
    world w;
    auto& node =
        w.start_node({{"ask", [](workflow& f) { return ask_once(f, of_type("answer")); }}});
    constexpr int rounds = 60;
    for (int n = 0; n < rounds; ++n) {
        auto const lane = w.make_lane("lane" + std::to_string(n));
        auto const job = w.enqueue(node, lane, "ask");
        w.execute(
            "select postrider.deliver_event(" + base::to_string(lane) + ", " +
            base::to_string(job.id) + ", 'answer', '" + std::to_string(n) + "', null)"
        );
    }
    node.engine->wake();
    w.until("select count(*) from postrider.job where state = 'completed'", std::to_string(rounds));
    EXPECT_EQ(w.value("select count(*) from postrider.event"), "0");
}

// Somebody older waits for the same and cannot hear: it is paused, or it is over and its wait was left.
// covers: E.07
TEST(event, passes_over_those_who_cannot_hear_it) {
    for (auto const* deaf :
         {"select postrider.job_pause(job_id) from postrider.job",
          "update postrider.job set state = 'failed', finished_at = now(), error_class = "
          "'refused', due_at = null, "
          "wait_reason = null"}) {
        world w;
        auto& node =
            w.start_node({{"ask", [](workflow& f) { return ask_once(f, of_type("answer")); }}});
        auto const lane = w.make_lane("a");
        auto const older = base::to_string(w.enqueue(node, lane, "ask").id);
        w.until("select state from postrider.job", "waiting");
        w.until([&] { return node.engine->counts().busy == 0; });
        w.execute(deaf);
        w.execute("select postrider.lane_refresh(lane_id) from postrider.lane");
        w.enqueue(node, lane, "ask");
        node.engine->wake();
        w.until("select count(*) from postrider.wait", "2");
        w.until([&] { return node.engine->counts().busy == 0; });

        w.execute(deliver("null", "answer", "1", "null"));
        node.engine->wake();

        w.until("select count(*) from postrider.job where state = 'completed'", "1");
        EXPECT_NE(w.value("select state from postrider.job where job_id = " + older), "completed")
            << deaf;
    }
}

awaitable<void> wait_in_vain(workflow& flow) {
    (void)co_await flow.wait_for_event("answer", of_type("answer"));
}

awaitable<void> fail_beside(workflow& flow) {
    (void)co_await flow.run("work", {}, [] { return give(1); });
    throw std::runtime_error("broken");
}

awaitable<outcome> wait_and_fail(workflow& flow) {
    std::vector<queue::branch> branches{
        [&] { return wait_in_vain(flow); }, [&] { return fail_beside(flow); }};
    co_await flow.parallel(std::move(branches));
    co_return outcome::completed();
}

TEST(event, is_not_waited_for_by_a_branch_of_a_job_that_is_over) {
    world w;
    auto& node = w.start_node({{"ask", wait_and_fail}});
    w.enqueue(node, w.make_lane("a"), "ask");
    w.until("select state from postrider.job", "failed");
    EXPECT_EQ(w.value("select count(*) from postrider.wait"), "0");
}

} // namespace

} // namespace postrider::tests::event_test
