// Flows that fail where their caller goes on, over several runs of the job, on the real engine.
#include "agent/flow/catalog.hpp"
#include "agent/flow/watch/retrace.hpp"
#include "tests/integration/queue/steps.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::called_failure_test {

namespace {

namespace flow = agent::flow;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using graph_ptr = std::shared_ptr<flow::graph const>;

// A confirmation would follow a short rest; beside it the flow fails. A later run is served the rest.
constexpr std::string_view order = R"({
    "format": 1, "name": "order",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "rest", "name": "Rest", "type": "wait", "parameters": {"duration": "1ms"}},
        {"id": "ed", "name": "Edit", "type": "telegram.edit",
         "parameters": {"message": 5, "text": "confirmed"}},
        {"id": "se", "name": "Send", "type": "telegram.send", "parameters": {"text": "confirmed"}},
        {"id": "stop", "name": "Stop", "type": "stop", "parameters": {"message": "no stock"}}
    ],
    "connections": [
        {"from": "in", "to": "rest"}, {"from": "in", "to": "stop"},
        {"from": "rest", "to": "ed"}, {"from": "ed", "to": "se"}
    ]
})";

constexpr std::string_view shop = R"({
    "format": 1, "name": "shop",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "call", "name": "Call", "type": "call_flow", "parameters": {"flow": "order"},
         "on_error": "error_output"},
        {"id": "refuse", "name": "Refuse", "type": "telegram.send", "parameters": {"text": "refused"}},
        {"id": "w1", "name": "W1", "type": "wait", "parameters": {"duration": "1h"}},
        {"id": "w2", "name": "W2", "type": "wait", "parameters": {"duration": "1h"}}
    ],
    "connections": [
        {"from": "in", "to": "call"}, {"from": "call", "output": "error", "to": "refuse"},
        {"from": "refuse", "to": "w1"}, {"from": "w1", "to": "w2"}
    ]
})";

// The same beside another branch.
constexpr std::string_view busy_shop = R"({
    "format": 1, "name": "busy_shop",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "call", "name": "Call", "type": "call_flow", "parameters": {"flow": "order"},
         "on_error": "error_output"},
        {"id": "refuse", "name": "Refuse", "type": "telegram.send", "parameters": {"text": "refused"}},
        {"id": "w1", "name": "W1", "type": "wait", "parameters": {"duration": "1h"}},
        {"id": "w2", "name": "W2", "type": "wait", "parameters": {"duration": "1h"}},
        {"id": "other", "name": "Other", "type": "wait", "parameters": {"duration": "10h"}}
    ],
    "connections": [
        {"from": "in", "to": "call"}, {"from": "call", "output": "error", "to": "refuse"},
        {"from": "refuse", "to": "w1"}, {"from": "w1", "to": "w2"}, {"from": "in", "to": "other"}
    ]
})";

constexpr std::string_view listening = R"({
    "format": 1, "name": "listening",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "w1", "name": "W1", "type": "wait", "parameters": {"event": "go"}},
        {"id": "stop", "name": "Stop", "type": "stop", "parameters": {"message": "no stock"}}
    ],
    "connections": [{"from": "in", "to": "w1"}, {"from": "in", "to": "stop"}]
})";

constexpr std::string_view listener = R"({
    "format": 1, "name": "listener",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "call", "name": "Call", "type": "call_flow", "parameters": {"flow": "listening"},
         "on_error": "continue"},
        {"id": "pause", "name": "Pause", "type": "wait",
         "parameters": {"event": "go", "timeout": "1h"}},
        {"id": "said", "name": "Said", "type": "telegram.send", "parameters": {"text": "went on"}}
    ],
    "connections": [
        {"from": "in", "to": "call"}, {"from": "call", "to": "pause"},
        {"from": "pause", "to": "said"}
    ]
})";

// Its message is committed when it fails.
constexpr std::string_view speaking = R"({
    "format": 1, "name": "speaking",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "say", "name": "Say", "type": "telegram.send", "parameters": {"text": "confirmed"}},
        {"id": "stop", "name": "Stop", "type": "stop", "parameters": {"message": "no stock"}}
    ],
    "connections": [{"from": "in", "to": "say"}, {"from": "in", "to": "stop"}]
})";

constexpr std::string_view speaker = R"({
    "format": 1, "name": "speaker",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "call", "name": "Call", "type": "call_flow", "parameters": {"flow": "speaking"},
         "on_error": "continue"},
        {"id": "said", "name": "Said", "type": "telegram.send", "parameters": {"text": "refused"}}
    ],
    "connections": [{"from": "in", "to": "call"}, {"from": "call", "to": "said"}]
})";

constexpr std::string_view asking = R"({
    "format": 1, "name": "asking",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "a", "name": "A", "type": "agent", "parameters": {"prompt": "how?"}},
        {"id": "b", "name": "B", "type": "agent", "parameters": {"prompt": "how?"}},
        {"id": "ma", "name": "MA", "type": "model", "parameters": {"model": "a"}},
        {"id": "mb", "name": "MB", "type": "model", "parameters": {"model": "b"}}
    ],
    "connections": [
        {"from": "in", "to": "a"}, {"from": "in", "to": "b"},
        {"type": "ai_model", "from": "ma", "to": "a"}, {"type": "ai_model", "from": "mb", "to": "b"}
    ]
})";

constexpr std::string_view router = R"({
    "format": 1, "name": "router",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "call", "name": "Call", "type": "call_flow", "parameters": {"flow": "asking"},
         "on_error": "error_output"},
        {"id": "if", "name": "If", "type": "if",
         "parameters": {"condition": "{{ $json.error.message.contains('a is out') }}"}},
        {"id": "sa", "name": "SA", "type": "telegram.send", "parameters": {"text": "a"}},
        {"id": "sb", "name": "SB", "type": "telegram.send", "parameters": {"text": "b"}},
        {"id": "w", "name": "W", "type": "wait", "parameters": {"duration": "1h"}}
    ],
    "connections": [
        {"from": "in", "to": "call"}, {"from": "call", "output": "error", "to": "if"},
        {"from": "if", "output": "true", "to": "sa"}, {"from": "if", "output": "false", "to": "sb"},
        {"from": "sa", "to": "w"}, {"from": "sb", "to": "w"}
    ]
})";

// Fails for good once it is let go.
class failing_model final : public agent::model {
public:
    failing_model(std::string name, loop& io) : door(io), name_(std::move(name)) {}

    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request) override {
        (void)co_await pass_through(door);
        co_return base::error(base::errc::invalid, name_ + " is out");
    }

    latch door;

private:
    std::string name_;
};

class called_failure : public testing::Test {
protected:
    called_failure() {
        static auto const types = flow::builtin_types();
        for (auto document :
             {order, shop, busy_shop, listening, listener, speaking, speaker, asking, router}) {
            auto read = std::get<flow::definition>(flow::read_definition(document));
            auto const name = read.name;
            graphs_[name] = std::get<graph_ptr>(flow::graph::compile(std::move(read), types));
        }
    }

    void start(std::string const& name) {
        started_ = name;
        auto run = [this](queue::workflow& steps) {
            return flow::execute(*graphs_.at(started_), steps, *services_, nobody_);
        };
        auto& node = engine.start_node({{std::string(flow::flow_kind), run}});
        services_.emplace(assistant_services(
            *node.quick,
            chat,
            base::system_clock(),
            base::system_random(),
            {.others = {{"a", {.model = &a}}, {"b", {.model = &b}}}}
        ));
        services_->current_version = [](std::string_view) { return 1; };
        services_->find_flow = [this](std::string which, std::int64_t) {
            return find(std::move(which));
        };
        flow::execution_input input;
        input.flow = name;
        input.version = 1;
        input.heard = flow::heard_message{
            {bot_id{1}, chat_id{7}, thread_id{0}}, user_id{7}, telegram_message_id{50}};
        auto const lane = engine.make_lane("1:7:0");
        engine.enqueue(node, lane, std::string(flow::flow_kind), to_json(input));
    }

    void until_it_waits_for(std::string const& reason) {
        engine.until("select wait_reason from postrider.job", reason);
    }
    void until_completed() {
        engine.until("select finished_at is not null from postrider.job", "t");
        EXPECT_EQ(
            engine.value("select state || coalesce(error, '') from postrider.job"), "completed"
        );
    }

    std::vector<std::string> said() const {
        std::vector<std::string> texts;
        for (auto const& message : chat.sent) texts.push_back(message.content.text);
        return texts;
    }
    std::string steps_like(std::string const& pattern) {
        return engine.value(
            "select string_agg(key, ',' order by key) from postrider.step where key like '" +
            pattern + "'"
        );
    }
    flow::retraced retraced() {
        std::optional<queue::recording> record;
        engine.in_transaction([&](auto& tx) {
            auto const id =
                tx.query(storage::statement{"test", "select job_id from postrider.job"});
            record = queue::read_recording(tx, id.front().template id<job_id>(0));
        });
        auto& graph = *graphs_.at(started_);
        return engine.io.run(flow::retrace(graph, *record, *services_)).value();
    }

    world engine;
    failing_model a{"a", engine.io};
    failing_model b{"b", engine.io};
    recording_chat chat;

private:
    base::awaitable<base::result<graph_ptr>> find(std::string name) { co_return graphs_.at(name); }

    flow::observer nobody_;
    std::string started_;
    std::map<std::string, graph_ptr> graphs_;
    std::optional<flow::node_services> services_;
};

class called_failure_beside : public called_failure,
                              public testing::WithParamInterface<std::string> {};

// covers: S3.17
TEST_P(called_failure_beside, does_nothing_more_in_later_runs) {
    start(GetParam());
    until_it_waits_for("sleep w1/wait");
    engine.pass("61 minutes");
    until_it_waits_for("sleep w2/wait");
    engine.pass("12 hours");
    until_completed();

    EXPECT_THAT(said(), ElementsAre("refused"));
    EXPECT_THAT(chat.edited, IsEmpty());
    EXPECT_EQ(
        engine.value("select count(*) from postrider.message where delivery = 'pending'"), "0"
    );
    EXPECT_EQ(steps_like("call/1/%"), "call/1/failed,call/1/rest/wait,call/1/version");
    EXPECT_EQ(
        engine.value("select string_agg(key || ' ' || state, ', ') from postrider.effect"),
        "refuse/send done"
    );
    auto const shown = retraced();
    EXPECT_THAT(shown.missing, IsEmpty());
    EXPECT_THAT(shown.unasked, IsEmpty());
    ASSERT_NE(shown.outcome, std::nullopt);
    EXPECT_EQ(shown.outcome->state, queue::job_state::completed);
}

INSTANTIATE_TEST_SUITE_P(
    callers,
    called_failure_beside,
    testing::Values("shop", "busy_shop"),
    [](auto const& caller) { return caller.param; }
);

// A job that was parked before failures were recorded.
// covers: S3.17
TEST_F(called_failure, that_the_record_does_not_have_is_added_to_it) {
    start("shop");
    until_it_waits_for("sleep w1/wait");
    engine.execute("delete from postrider.step where key = 'call/1/failed'");
    auto const before = retraced();
    EXPECT_THAT(before.missing, Contains("w1/wait")) << "it is shown all the same";

    engine.pass("61 minutes");
    until_it_waits_for("sleep w2/wait");
    EXPECT_EQ(steps_like("call/1/failed"), "call/1/failed");
    engine.pass("61 minutes");
    until_completed();

    EXPECT_THAT(said(), ElementsAre("refused"));
}

// covers: S3.17
TEST_F(called_failure, leaves_events_to_its_caller) {
    start("listener");
    until_it_waits_for("event go");
    EXPECT_EQ(engine.value("select string_agg(key, ',') from postrider.wait"), "pause/event");

    engine.execute("select postrider.job_send_event(job_id, 'go') from postrider.job");
    until_completed();

    EXPECT_THAT(said(), ElementsAre("went on"));
    EXPECT_EQ(steps_like("%/event"), "pause/event");
}

// covers: S3.17
TEST_F(called_failure, leaves_no_message_pending) {
    start("speaker");
    until_completed();

    EXPECT_THAT(said(), ElementsAre("refused"));
    EXPECT_EQ(
        engine.value("select string_agg(content || ' ' || delivery, ', ' order by position) "
                     "from postrider.message"),
        "confirmed failed, refused sent"
    );
}

class called_failures : public called_failure, public testing::WithParamInterface<std::string> {};

// Whichever node stands first in the document, and is served first by a later run.
// covers: S3.17
TEST_P(called_failures, of_two_nodes_lead_the_caller_by_the_first_in_every_run) {
    auto& sooner = GetParam() == "a" ? a : b;
    auto& later = GetParam() == "a" ? b : a;
    start("router");
    engine.until([&] { return a.door.arrived == 1 && b.door.arrived == 1; });
    sooner.door.let_go();
    engine.until(
        "select string_agg(key, ',') from postrider.step where outcome = 'failed'",
        "call/1/" + GetParam() + "/model"
    );
    later.door.let_go();
    until_it_waits_for("sleep w/wait");
    engine.pass("2 hours");
    until_completed();

    EXPECT_THAT(said(), ElementsAre(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(sooner, called_failures, testing::Values("a", "b"), [](auto const& node) {
    return node.param;
});

} // namespace

} // namespace postrider::tests::called_failure_test
