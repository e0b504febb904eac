// Operations while real engines run the jobs: nothing is lost, nothing is done twice.
#include "queue/admin/job_views.hpp"
#include "tests/integration/queue/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace postrider::tests::operations_on_engine_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using queue::operation;
using queue::operation_result;
using queue::outcome;
using queue::step_value;
using queue::workflow;
namespace json = boost::json;

// What jobs did, by step, and what they shall do.
struct ledger {
    std::map<std::string, int> done;
    bool works = false;
    bool gate_open = false;
};

awaitable<step_value> note(ledger& book, std::string line) {
    ++book.done[line];
    co_return json::value(line);
}

awaitable<step_value> fragile(ledger& book) {
    ++book.done["fragile"];
    if (!book.works) co_return base::error(errc::refused, "not yet");
    co_return json::value("well");
}

// Three steps, the second of which fails until the book says that it works.
awaitable<outcome> three_steps(workflow& flow, ledger& book) {
    (void)co_await flow.run("first", {}, [&] { return note(book, "first"); });
    auto second = co_await flow.run("second", {}, [&] { return fragile(book); });
    if (!second) co_return outcome::failed(second.error());
    (void)co_await flow.run("third", {}, [&] { return note(book, "third"); });
    co_return outcome::completed("done");
}

awaitable<step_value> wait_at(ledger& book) {
    ++book.done["gate"];
    while (!book.gate_open) co_await base::sleep_for(2ms);
    co_return json::value("through");
}

// Stays in its step until the gate is open.
awaitable<outcome> gated(workflow& flow, ledger& book) {
    (void)co_await flow.run("gate", {}, [&] { return wait_at(book); });
    (void)co_await flow.run("after", {}, [&] { return note(book, "after"); });
    co_return outcome::completed();
}

awaitable<outcome> sends_once(workflow& flow, ledger& book) {
    queue::commit_with intent;
    intent.effects.push_back({"send", "test.send", queue::effect_class::at_most_once, {}, false});
    (void)co_await flow.run("decide", {}, [&] { return note(book, "decide"); });
    (void)co_await flow.commit(std::move(intent));
    auto sent = co_await flow.perform("send", {}, [&] { return fragile(book); });
    if (!sent) co_return outcome::failed(sent.error());
    co_return outcome::completed(*sent);
}

awaitable<outcome> asks(workflow& flow, ledger& book) {
    (void)co_await flow.run("book", {}, [&] { return note(book, "book"); });
    flow.on_rollback("book", [&] { return note(book, "undo"); });
    queue::awaited_event approval;
    approval.type = "approval";
    approval.match = "7";
    auto said = co_await flow.wait_for_event("ask", std::move(approval));
    if (!said) co_return outcome::failed(said.error());
    co_return outcome::completed(*said);
}

class on_engine : public engine_fixture {
protected:
    queue::job_kind kind(std::string name, awaitable<outcome> (*run)(workflow&, ledger&)) {
        return {name, [this, run](workflow& flow) { return run(flow, book); }};
    }

    operation_result operate(job_id job, queue::job_operation request) {
        operation_result result;
        w.in_transaction([&](storage::transaction& tx) {
            result = queue::operate(tx, job, request);
        });
        return result;
    }
    operation_result operate(job_id job, operation operation) {
        return operate(job, queue::job_operation{.operation = operation});
    }
    void until_state(job_id job, std::string state) { w.until(state_of(job), state); }
    std::string state_of(job_id job) {
        return "select state from postrider.job where job_id = " + base::to_string(job);
    }

    ledger book;
};

// A node that is lost leaves what was asked of its job in the lane's row.
TEST_F(on_engine, what_was_asked_of_one_job_is_not_asked_of_the_next) {
    book.works = true;
    auto& node = w.start_node({kind("three", three_steps)});
    for (auto const* request : {"cancel", "interrupt"}) {
        auto const lane = w.make_lane(request);
        w.execute("select postrider.lane_pause('" + std::string(request) + "')");
        auto const job = w.enqueue(node, lane, "three").id;
        w.execute("update postrider.lane set paused_at = null");
        w.execute(
            "update postrider.lane_run set ready_at = now(), wait_reason = null, asked = '" +
            std::string(request) + "' where lane_id = " + base::to_string(lane)
        );
        node.engine->wake();
        until_state(job, "completed");
    }
}

// covers: E.12
TEST_F(on_engine, a_dead_letter_goes_on_from_its_record) {
    auto& node = w.start_node({kind("three", three_steps)});
    auto job = w.enqueue(node, w.make_lane("a"), "three").id;
    until_state(job, "failed");
    book.works = true;

    auto result = operate(job, operation::retry);
    until_state(job, "completed");

    EXPECT_EQ(result.code, "done");
    EXPECT_EQ(book.done["first"], 1) << "it stands in the record";
    EXPECT_EQ(book.done["fragile"], 2);
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
}

TEST_F(on_engine, a_restart_from_a_step_does_again_what_came_from_there) {
    auto& node = w.start_node({kind("three", three_steps)});
    book.works = true;
    auto job = w.enqueue(node, w.make_lane("a"), "three").id;
    until_state(job, "completed");

    (void)operate(job, {.operation = operation::restart, .from_step = "third"});
    w.until("select restarts || state from postrider.job", "1completed");
    auto partly = book.done;
    (void)operate(job, operation::restart);
    w.until("select restarts || state from postrider.job", "2completed");

    EXPECT_EQ(partly, (std::map<std::string, int>{{"first", 1}, {"fragile", 1}, {"third", 2}}));
    EXPECT_EQ(book.done, (std::map<std::string, int>{{"first", 2}, {"fragile", 2}, {"third", 3}}));
}

TEST_F(on_engine, a_fork_runs_beside_what_it_was_made_of) {
    auto& node = w.start_node({kind("three", three_steps)});
    auto job = w.enqueue(node, w.make_lane("a"), "three").id;
    until_state(job, "failed");
    book.works = true;

    auto fork = operate(job, {.operation = operation::fork, .from_step = "second"});
    ASSERT_TRUE(fork.job);
    until_state(*fork.job, "completed");

    EXPECT_EQ(book.done["first"], 1);
    EXPECT_EQ(w.value(state_of(job)), "failed");
}

TEST_F(on_engine, a_job_put_back_before_others_of_its_lane_runs_before_them) {
    auto& node = w.start_node({kind("three", three_steps), kind("gated", gated)});
    auto lane = w.make_lane("a");
    auto old = w.enqueue(node, lane, "three").id;
    until_state(old, "failed");
    w.enqueue(node, lane, "gated");
    w.until([&] { return book.done["gate"] == 1; });
    auto last = w.enqueue(node, lane, "three").id;
    book.works = true;

    (void)operate(old, operation::retry);
    book.gate_open = true;
    until_state(last, "completed");

    EXPECT_EQ(w.value(state_of(old)), "completed");
    EXPECT_EQ(
        w.value("select (select finished_at from postrider.job order by job_id limit 1) < "
                "(select started_at from postrider.job order by job_id desc limit 1)"),
        "t"
    );
}

TEST_F(on_engine, cancelling_the_last_of_a_lane_behind_a_running_one_leaves_no_lane_behind) {
    auto& node = w.start_node({kind("gated", gated)});
    auto lane = w.make_lane("a");
    auto first = w.enqueue(node, lane, "gated").id;
    auto second = w.enqueue(node, lane, "gated").id;

    auto result = operate(second, operation::cancel);
    book.gate_open = true;
    until_state(first, "completed");

    EXPECT_EQ(result.code, "done");
    w.until("select count(*) from postrider.busy_lane", "0");
    EXPECT_EQ(book.done["gate"], 1);
}

// covers: E.12
TEST_F(on_engine, a_running_job_is_cancelled_at_its_next_step) {
    auto& node = w.start_node({kind("gated", gated)});
    auto job = w.enqueue(node, w.make_lane("a"), "gated").id;
    w.until([&] { return book.done["gate"] == 1; });

    auto result = operate(job, operation::cancel);
    book.gate_open = true;
    until_state(job, "cancelled");

    EXPECT_EQ(result.code, "asked");
    EXPECT_EQ(book.done["after"], 0);
    EXPECT_EQ(w.value("select asked from postrider.job"), "");
    w.until("select count(*) from postrider.busy_lane", "0");
}

// covers: E.12 E.14
TEST_F(on_engine, what_was_not_begun_when_its_job_was_cancelled_is_not_in_doubt) {
    auto sends = [this](workflow& flow) -> awaitable<outcome> {
        queue::commit_with intents;
        intents.effects.push_back(
            {.key = "send", .kind = "test.send", .request = nullptr, .at_once = false}
        );
        (void)co_await flow.commit(std::move(intents));
        operate(flow.job().id, operation::cancel);
        (void)co_await flow.admit("test");
        (void)co_await flow.perform("send", {}, [this] { return note(book, "send"); });
        co_return outcome::completed();
    };
    auto& node = w.start_node({{"sends", sends}});
    auto job = w.enqueue(node, w.make_lane("a"), "sends").id;
    until_state(job, "cancelled");

    EXPECT_EQ(book.done["send"], 0);
    EXPECT_EQ(w.value("select state || ' ' || flagged from postrider.effect"), "failed false");
}

TEST_F(on_engine, a_running_job_is_paused_and_goes_on_with_what_it_has) {
    auto& node = w.start_node({kind("gated", gated)});
    auto job = w.enqueue(node, w.make_lane("a"), "gated").id;
    w.until([&] { return book.done["gate"] == 1; });

    (void)operate(job, operation::pause);
    book.gate_open = true;
    until_state(job, "paused");
    auto reason = w.value("select reason from postrider.waiting_jobs");
    auto resumed = operate(job, operation::resume);
    until_state(job, "completed");

    EXPECT_EQ(reason, "it is paused");
    EXPECT_EQ(resumed.code, "done");
    EXPECT_EQ(book.done["gate"], 1) << "it stands in the record";
    EXPECT_EQ(book.done["after"], 1);
}

TEST_F(on_engine, a_paused_lane_holds_its_running_job_and_all_that_comes) {
    auto& node = w.start_node({kind("gated", gated)});
    auto lane = w.make_lane("a");
    auto first = w.enqueue(node, lane, "gated").id;
    w.until([&] { return book.done["gate"] == 1; });

    w.in_transaction([](storage::transaction& tx) { queue::pause_lane(tx, "a"); });
    book.gate_open = true;
    w.until("select status from postrider.lane_status", "paused");
    auto second = w.enqueue(node, lane, "gated").id;
    auto held = w.value(state_of(first)) + ' ' + w.value(state_of(second));
    w.in_transaction([](storage::transaction& tx) { queue::resume_lane(tx, "a"); });
    until_state(second, "completed");

    EXPECT_EQ(held, "available available");
    EXPECT_EQ(book.done["gate"], 2) << "the first one's stands in the record";
    EXPECT_EQ(book.done["after"], 2);
    EXPECT_EQ(w.value("select max(lost) from postrider.job"), "0");
}

// An enqueue that does not see the pause is possible; the beat finds it.
TEST_F(on_engine, a_pause_that_was_passed_unseen_is_kept_by_the_beat) {
    w.start_node({kind("gated", gated)});
    auto lane = w.make_lane("a");
    w.execute("insert into postrider.pause (scope) values ('all')");
    w.execute(
        "update postrider.lane_run set ready_at = postrider.now() + interval '1 h', arrivals = 1, "
        "head = 1 where lane_id = " +
        base::to_string(lane)
    );

    w.until("select ready_at = 'infinity' from postrider.busy_lane", "t");
}

// covers: E.12 E.07
TEST_F(on_engine, an_event_ends_the_wait_also_when_it_was_sent_during_a_pause) {
    auto& node = w.start_node({kind("asks", asks)});
    auto job = w.enqueue(node, w.make_lane("a"), "asks").id;
    until_state(job, "waiting");

    (void)operate(job, operation::pause);
    (void)operate(job, {.operation = operation::send_event, .event = {"approval", "yes", "7"}});
    (void)operate(job, operation::resume);
    until_state(job, "completed");

    EXPECT_EQ(w.value("select output from postrider.job"), "\"yes\"");
    EXPECT_EQ(book.done["book"], 1);
}

TEST_F(on_engine, a_waiting_job_is_rolled_back_and_then_cancelled) {
    auto& node = w.start_node({kind("asks", asks)});
    auto job = w.enqueue(node, w.make_lane("a"), "asks").id;
    until_state(job, "waiting");

    auto result = operate(job, operation::roll_back);
    until_state(job, "cancelled");

    EXPECT_EQ(result.code, "asked");
    EXPECT_EQ(book.done["undo"], 1);
    EXPECT_EQ(w.value("select count(*) from postrider.wait"), "0");
}

TEST_F(on_engine, a_restarted_job_that_was_rolled_back_runs_from_the_top) {
    auto& node = w.start_node({kind("asks", asks)});
    auto job = w.enqueue(node, w.make_lane("a"), "asks").id;
    until_state(job, "waiting");
    (void)operate(job, operation::roll_back);
    until_state(job, "cancelled");

    auto result = operate(job, operation::restart);
    until_state(job, "waiting");
    (void)operate(job, {.operation = operation::send_event, .event = {"approval", "yes", "7"}});
    until_state(job, "completed");

    EXPECT_EQ(result.code, "done");
    EXPECT_EQ(book.done["book"], 2);
}

// covers: E.14
TEST_F(on_engine, a_send_in_doubt_is_done_again_only_when_a_person_says_so) {
    auto& node = w.start_node({kind("sends", sends_once)});
    auto job = w.enqueue(node, w.make_lane("a"), "sends").id;
    until_state(job, "failed");
    w.execute("update postrider.effect set state = 'unknown'");
    book.works = true;

    auto refused = operate(job, operation::retry);
    w.in_transaction([=](storage::transaction& tx) {
        queue::settle_effect(tx, job, "send", queue::effect_settlement::resend);
    });
    until_state(job, "completed");

    EXPECT_EQ(refused.code, "in_doubt");
    EXPECT_EQ(book.done["fragile"], 2);
    EXPECT_EQ(book.done["decide"], 1);
    EXPECT_EQ(
        w.value("select string_agg(key || ' ' || state || ' ' || flagged, ', ' order by key) "
                "from postrider.effect"),
        "send done true, send~1 unknown false"
    );
}

TEST_F(on_engine, a_send_settled_as_done_is_not_done_again) {
    auto& node = w.start_node({kind("sends", sends_once)});
    auto job = w.enqueue(node, w.make_lane("a"), "sends").id;
    until_state(job, "failed");
    w.execute("update postrider.effect set state = 'unknown'");

    w.in_transaction([=](storage::transaction& tx) {
        queue::settle_effect(tx, job, "send", queue::effect_settlement::done);
    });
    auto retried = operate(job, operation::retry);
    until_state(job, "completed");

    EXPECT_EQ(retried.code, "done");
    EXPECT_EQ(book.done["fragile"], 1);
}

} // namespace
} // namespace postrider::tests::operations_on_engine_test
