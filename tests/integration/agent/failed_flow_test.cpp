// Executions that fail, on the real w.
#include "agent/flow/catalog.hpp"
#include "agent/flow/execution_input.hpp"
#include "agent/flow/run/execution.hpp"
#include "agent/speech/failure_notice.hpp"
#include "tests/integration/queue/world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/unread_chat.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::failed_flow_test {

namespace {

namespace flow = agent::flow;
using testing::HasSubstr;

// start → stop, and start → a day's rest → after.
auto const beside_a_rest = flow_builder("beside")
                               .trigger("Start", "manual")
                               .node("Rest", "wait", {{"duration", "1d"}})
                               .after("Start")
                               .node("Stop", "stop", {{"message", "no stock"}})
                               .after("Rest")
                               .node("After", "set", {{"fields", {{"x", 1}}}})
                               .text();

// Waits for ever, but may not.
auto const timed = flow_builder("timed")
                       .settings({{"error_flow", "alarm"}})
                       .trigger("Start", "manual")
                       .node("Pause", "wait", {{"event", "go"}})
                       .text();

auto const unanswered = flow_builder("unanswered")
                            .trigger("Start", "manual")
                            .node("Pause", "wait", {{"event", "go"}})
                            .text();

auto const alarm =
    flow_builder("alarm").settings({{"timeout", "1h"}}).trigger("Start", "manual").text();

// The same with a question that nobody answers in time; a later run comes to it before the rest.
auto const asking_beside_a_rest = flow_builder("asking")
                                      .trigger("Start", "manual")
                                      .node("Ask", "wait", {{"event", "never"}, {"timeout", "1h"}})
                                      .after("Start")
                                      .node("Rest", "wait", {{"duration", "1d"}})
                                      .text();

// start → call (goes on where it fails) → wait for "go".
auto const calling = flow_builder("calling")
                         .trigger("Start", "manual")
                         .node("Call", "call_flow", {{"flow", "asking"}})
                         .with("on_error", "continue")
                         .node("Pause", "wait", {{"event", "go"}})
                         .text();

class failed_flow : public engine_fixture {
protected:
    failed_flow() {
        for (std::string_view document :
             {beside_a_rest, asking_beside_a_rest, calling, timed, unanswered, alarm}) {
            auto read = std::get<flow::definition>(flow::read_definition(document));
            auto const name = read.name;
            graphs[name] = std::get<graph_ptr>(flow::graph::compile(std::move(read), types));
        }
    }

    using graph_ptr = std::shared_ptr<flow::graph const>;

    base::awaitable<base::result<graph_ptr>> find(std::string name) { co_return graphs.at(name); }

    void run(std::string name, boost::json::object more = {}) {
        queue::job_kind kind;
        kind.name = std::string(flow::flow_kind);
        kind.run = [this](queue::workflow& steps) {
            return flow::make_executions(*services).front().run(steps);
        };
        kind.failed = [this](queue::job const& job, queue::outcome const& ended) {
            return flow::make_executions(*services).front().failed(job, ended);
        };
        queue::job_kind notices;
        notices.name = std::string(agent::failure_notice_kind);
        notices.run = [this](queue::workflow& steps) {
            return agent::make_failure_notices(chat, services->reads, base::system_random())
                .run(steps);
        };
        auto& node = w.start_node({std::move(kind), std::move(notices)});
        services.emplace(flow::node_services{
            .reads = *node.quick,
            .out = chat,
            .clock = base::system_clock(),
            .random = base::system_random(),
            .model =
                [](flow::model_selection const&) { return base::error(base::errc::not_found); },
            .find_flow = [this](std::string which, std::int64_t) { return find(std::move(which)); },
            .current_version = [](std::string_view) { return 1; },
            .watcher = [](job_id, lane_id) { return std::make_unique<flow::observer>(); }});
        boost::json::object input{{"flow", name}, {"version", 1}};
        input.insert(more.begin(), more.end());
        auto const lane = w.make_lane("flow:" + name);
        w.enqueue(node, lane, std::string(flow::flow_kind), input);
    }

    flow::catalog types = flow::builtin_types();
    std::map<std::string, graph_ptr> graphs;
    unread_chat chat;
    std::optional<flow::node_services> services;
};

// covers: S3.17
TEST_F(failed_flow, of_a_node_beside_others_ends_the_execution_at_once_with_its_own_error) {
    run("beside");

    w.until("select state from postrider.job", "failed");
    EXPECT_THAT(w.value("select error from postrider.job"), HasSubstr("Stop: no stock"));
    EXPECT_EQ(w.value("select count(*) from postrider.wait"), "0");
}

// The rest that was begun in the called flow stands in the record, and nobody asks for it again.
// covers: S3.17
TEST_F(failed_flow, that_is_called_is_what_its_caller_goes_on_from) {
    run("calling");
    w.until("select state from postrider.job", "waiting");
    w.pass("2 hours");
    w.until("select wait_reason from postrider.job", "event go");
    EXPECT_EQ(w.value("select count(*) from postrider.step where key like 'call/1/rest/%'"), "1");

    w.execute("select postrider.deliver_event(lane_id, null, 'go', '{}', null) "
              "from postrider.lane");
    w.until("select finished_at is not null from postrider.job", "t");

    EXPECT_EQ(
        w.value("select state || ' ' || degraded_reason from postrider.job"),
        "completed node_failed"
    );
}

// covers: S3.17
TEST_F(failed_flow, starts_the_error_flow_also_of_an_execution_whose_time_is_up) {
    run("timed");
    w.until("select state from postrider.job", "waiting");

    w.execute("update postrider.job set deadline_at = postrider.now(), due_at = "
              "postrider.now()");
    w.execute("select postrider.lane_refresh(lane_id) from postrider.lane");
    w.until(
        "select string_agg(input ->> 'flow' || ' ' || state, ', ' order by job_id) from "
        "postrider.job",
        "timed failed, alarm completed"
    );

    EXPECT_EQ(
        w.value("select input #>> '{data,error,code}' || ' ' || round(extract(epoch from "
                "deadline_at - created_at)) from "
                "postrider.job order by job_id desc limit 1"),
        "timeout 3600"
    );
}

// covers: E.14
TEST_F(failed_flow, that_the_engine_ends_is_told_to_who_waits_for_its_answer) {
    run("unanswered", {{"bot", 1}, {"chat", 7}, {"user", 7}, {"message", 3}});
    w.until("select state from postrider.job", "waiting");
    EXPECT_EQ(chat.given, 0);

    w.execute("update postrider.job set deadline_at = postrider.now(), due_at = "
              "postrider.now()");
    w.execute("select postrider.lane_refresh(lane_id) from postrider.lane");
    w.until(
        "select string_agg(kind || ' ' || state, ', ' order by job_id) from postrider.job",
        "flow failed, failure_notice completed"
    );

    EXPECT_EQ(chat.given, 1);
    EXPECT_EQ(w.value("select count(distinct lane_id) from postrider.job"), "2")
        << "it takes no message's place";
}

class failed_turn : public failed_flow, public testing::WithParamInterface<std::string> {
protected:
    // The turn's time is up when its model has answered and it has said this much.
    void fail_after(std::string const& delivery) {
        begin();
        record_model();
        say(delivery, 1);
        fail();
    }

    void begin() {
        run("unanswered", {{"bot", 1}, {"chat", 7}, {"user", 7}, {"message", 3}});
        w.until("select state from postrider.job", "waiting");
    }

    void record_model(std::string const& key = "ask/model") {
        w.execute(
            "insert into postrider.step (job_id, started_at, ended_at, node_id, seq, "
            "key, outcome) select job_id, postrider.now(), postrider.now(), 1, 99, '" +
            key + "', 'done' from postrider.job"
        );
    }

    void say(std::string const& delivery, int position) {
        w.execute(
            "insert into postrider.message (lane_id, job_id, conversation_id, position, "
            "role, delivery, id, content) select lane_id, job_id, conversation_id, " +
            std::to_string(position) + ", 'assistant', '" + delivery +
            "', 'a', 'hello' from postrider.job"
        );
    }

    void fail() {
        w.execute("update postrider.job set deadline_at = postrider.now(), due_at = "
                  "postrider.now()");
        w.execute("select postrider.lane_refresh(lane_id) from postrider.lane");
        w.until(
            "select string_agg(kind || ' ' || state, ', ' order by job_id) from postrider.job",
            "flow failed, failure_notice completed"
        );
    }
};

// covers: E.14
TEST_F(failed_turn, whose_answer_went_out_before_is_followed_by_no_apology) {
    fail_after("sent");

    EXPECT_EQ(chat.given, 0);
}

// By the step that the answer came from.
class answered_turn : public failed_turn {};

// covers: E.14
TEST_P(answered_turn, is_followed_by_no_apology) {
    begin();
    record_model(GetParam());
    say("sent", 1);
    fail();

    EXPECT_EQ(chat.given, 0);
}

INSTANTIATE_TEST_SUITE_P(
    steps,
    answered_turn,
    testing::Values(
        "ask/model:2", "ask/model:1.2", "ask/model:2#3", "call/ask/model#2", "ask/rules"
    )
);

// covers: E.14
TEST_F(failed_turn, that_only_asked_for_patience_is_followed_by_an_apology) {
    begin();
    say("sent", 1);
    record_model();
    fail();

    EXPECT_EQ(chat.given, 1);
}

// covers: E.14
TEST_F(failed_turn, that_told_of_its_work_between_two_questions_is_followed_by_an_apology) {
    begin();
    record_model();
    say("sent", 1);
    record_model("ask/model#2");
    fail();

    EXPECT_EQ(chat.given, 1);
}

// covers: E.14
TEST_F(failed_turn, that_was_begun_anew_is_not_answered_by_what_it_said_before) {
    begin();
    record_model();
    say("sent", -5);
    fail();

    EXPECT_EQ(chat.given, 1);
}

// The engine's end makes failed what was pending.
// covers: E.14
TEST_P(failed_turn, whose_answer_may_not_have_come_is_followed_by_an_apology) {
    fail_after(GetParam());

    EXPECT_EQ(chat.given, 1);
}

INSTANTIATE_TEST_SUITE_P(
    delivery,
    failed_turn,
    testing::Values("pending", "unknown", "failed"),
    [](auto const& delivery) { return delivery.param; }
);

// It was about to be sent, and will not be.
// covers: E.14
TEST_F(failed_flow, leaves_no_delivery_pending) {
    run("timed");
    w.until("select state from postrider.job", "waiting");
    w.execute("insert into postrider.message (lane_id, job_id, conversation_id, position, "
              "role, delivery, id, content) "
              "select lane_id, job_id, conversation_id, 1, 'assistant', 'pending', 'a', "
              "'hello' from postrider.job");

    w.execute("update postrider.job set deadline_at = postrider.now(), due_at = "
              "postrider.now()");
    w.execute("select postrider.lane_refresh(lane_id) from postrider.lane");
    w.until("select state from postrider.job order by job_id limit 1", "failed");

    EXPECT_EQ(w.value("select delivery from postrider.message"), "failed");
}

} // namespace

} // namespace postrider::tests::failed_flow_test
