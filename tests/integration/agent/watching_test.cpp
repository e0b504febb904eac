// An execution on the real engine and a real Postgres, and what those see who look on.
#include "agent/flow/catalog.hpp"
#include "agent/flow/watch/live.hpp"
#include "agent/flow/watch/retrace.hpp"
#include "tests/integration/queue/world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/unread_chat.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::watching_test {

namespace {

namespace flow = agent::flow;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

// start → assistant (model, calculator) → two branches: pause, and note → end.
constexpr auto document = R"({
    "format": 1, "name": "watched",
    "nodes": [
        {"id": "start", "name": "Start", "type": "manual"},
        {"id": "assistant", "name": "Assistant", "type": "agent"},
        {"id": "model", "name": "Model", "type": "model"},
        {"id": "calculator", "name": "Calculator", "type": "tool.calculator"},
        {"id": "pause", "name": "Pause", "type": "wait", "parameters": {"event": "go"}},
        {"id": "note", "name": "Note", "type": "set",
         "parameters": {"fields": {"answer": "{{ $json.text }}"}}},
        {"id": "end", "name": "End", "type": "set", "parameters": {"fields": {"done": true}}},
        {"id": "memory", "name": "Memory", "type": "memory.window"},
        {"id": "clock", "name": "Clock", "type": "tool.current_time"}
    ],
    "connections": [
        {"type": "ai_memory", "from": "memory", "to": "assistant"},
        {"type": "ai_tool", "from": "clock", "to": "assistant"},
        {"from": "start", "to": "assistant"},
        {"type": "ai_model", "from": "model", "to": "assistant"},
        {"type": "ai_tool", "from": "calculator", "to": "assistant"},
        {"from": "assistant", "to": "pause"},
        {"from": "assistant", "to": "note"},
        {"from": "pause", "to": "end"},
        {"from": "note", "to": "end"}
    ]
})";

auto const waits_at_the_end = flow_builder("watched")
                                  .trigger("Start", "manual")
                                  .node("W", "wait", {{"duration", "20ms"}})
                                  .text();
auto const waits_and_goes_on = flow_builder("watched")
                                   .trigger("Start", "manual")
                                   .node("W", "wait", {{"duration", "20ms"}})
                                   .node("S", "set", {{"fields", {{"done", true}}}})
                                   .text();
auto const waits_side_by_side = flow_builder("watched")
                                    .trigger("Start", "manual")
                                    .node("W", "wait", {{"duration", "20ms"}})
                                    .after("Start")
                                    .node("X", "wait", {{"duration", "50ms"}})
                                    .after("W")
                                    .node("S", "set", {{"fields", {{"done", true}}}})
                                    .connect("X", "S")
                                    .text();

class planned_model final : public agent::model {
public:
    std::string const& name() const override { return name_; }
    agent::capabilities capabilities() const override { return {}; }
    base::awaitable<base::result<agent::chat_reply>> chat(agent::chat_request request) override {
        auto reply = replies.at(asked++);
        if (request.hear && !reply.text.empty()) request.hear(reply.text);
        if (request.hear) heard = true;
        co_return reply;
    }

    std::vector<agent::chat_reply> replies;
    std::size_t asked = 0;
    bool heard = false; // somebody wanted to hear

private:
    std::string name_ = "planned/one";
};

std::shared_ptr<flow::graph const> compile(std::string_view text, flow::catalog const& types) {
    auto read = flow::read_definition(text);
    auto compilation = flow::graph::compile(std::get<flow::definition>(std::move(read)), types);
    if (auto const* wrong = std::get_if<std::vector<flow::problem>>(&compilation))
        throw std::runtime_error(flow::to_text(wrong->front()));
    return std::get<std::shared_ptr<flow::graph const>>(std::move(compilation));
}

base::awaitable<base::result<std::shared_ptr<flow::graph const>>> give(
    std::shared_ptr<flow::graph const> flow_graph
) {
    co_return flow_graph;
}

class watching : public engine_fixture {
protected:
    watching() {
        agent::chat_reply calling;
        calling.stop = agent::stop_reason::tool_calls;
        calling.usage = {10, 0, 3};
        calling.calls.push_back({"call_1", "calculator", {{"expression", "2+2"}}, {}});
        agent::chat_reply saying;
        saying.text = "It is 4.";
        saying.usage = {20, 0, 5};
        model.replies = {calling, saying};
    }

    flow::node_services services_of(node& of) {
        return {
            .reads = *of.quick,
            .out = chat,
            .clock = base::system_clock(),
            .random = base::system_random(),
            .model = [this](flow::model_selection const&) { return flow::model_part{&model}; },
            .find_flow = [this](std::string, std::int64_t) { return give(graph); },
            .current_version = [](std::string_view) { return 1; },
            .watcher = [this](job_id job, lane_id) { return hub.of(job); }};
    }

    queue::recording record_of(job_id job) {
        std::optional<queue::recording> found;
        w.in_transaction([&](auto& tx) { found = queue::read_recording(tx, job); });
        return found.value();
    }

    // "1 started", …
    std::vector<std::string> numbered_events(queue::recording const& record) {
        auto const seen = w.io.run(flow::retrace(*graph, record, *services)).value();
        std::vector<std::string> all;
        for (auto const& event : flow::events_of(graph->flow(), seen.seen, record.details)) {
            if (event.number == 0) continue;
            auto const* about = event.data.if_contains("node");
            auto line = std::to_string(event.number) + " " + event.type;
            if (about) line += " " + std::string(about->as_string());
            if (auto const* step = event.data.if_contains("step"))
                line += "/" + std::string(step->as_string());
            if (auto const* from = event.data.if_contains("from"))
                line += " " + std::string(from->as_string()) + "→" +
                        std::string(event.data.at("to").as_string());
            all.push_back(std::move(line));
        }
        return all;
    }

    // The services need the node's connections, which are made with the kinds of job.
    queue::job_kind kind() {
        queue::job_kind execution_kind;
        execution_kind.name = std::string(flow::flow_kind);
        execution_kind.run = [this](queue::workflow& steps) {
            if (looks && !live) live = hub.watch(steps.job().id);
            return flow::make_executions(*services).front().run(steps);
        };
        return execution_kind;
    }

    // Runs until it waits for "go", or is over.
    job_id start(std::string until = "waiting") {
        auto& node = w.start_node({kind()});
        services.emplace(services_of(node));
        boost::json::value const input{
            {"flow", "watched"}, {"version", 1}, {"data", {{"text", "2+2?"}}}};
        auto const lane = w.make_lane("flow:watched");
        auto const job = w.enqueue(node, lane, std::string(flow::flow_kind), input).id;
        w.until("select state from postrider.job", std::move(until));
        return job;
    }

    flow::catalog types = flow::builtin_types();
    std::shared_ptr<flow::graph const> graph = compile(document, types);
    planned_model model;
    unread_chat chat;
    flow::live hub{w.io.executor()};
    bool looks = true;                      // somebody does
    std::shared_ptr<flow::live_queue> live; // of the execution, from its first run on
    std::optional<flow::node_services> services;
};

TEST_F(watching, shows_what_happened_in_the_order_in_which_it_did) {
    auto const job = start();

    auto const waiting = record_of(job);
    auto const seen = w.io.run(flow::retrace(*graph, waiting, *services)).value();
    EXPECT_EQ(seen.outcome, std::nullopt);
    EXPECT_THAT(seen.missing, ElementsAre("pause/event"));
    EXPECT_EQ(seen.seen.nodes[1].state, flow::node_state::done);
    EXPECT_EQ(
        boost::json::serialize(seen.seen.nodes[1].output.at("main").at(0).json.at("text")),
        R"("It is 4.")"
    );
    EXPECT_EQ(seen.seen.nodes[4].state, flow::node_state::waiting);
    EXPECT_EQ(seen.seen.nodes[5].state, flow::node_state::done);
    EXPECT_EQ(seen.seen.nodes[6].state, flow::node_state::not_reached);
    auto const half = numbered_events(waiting);
    EXPECT_THAT(
        half,
        ElementsAre(
            "1 started",
            "2 node_finished start",
            "3 connection_used start→assistant",
            "4 step assistant/model",
            "5 connection_used calculator→assistant",
            "6 step assistant/tool:1",
            "7 step assistant/model#2",
            "8 node_finished assistant",
            "9 connection_used assistant→pause",
            "10 connection_used assistant→note",
            "11 node_finished note",
            "12 connection_used note→end"
        )
    );

    auto const asked = model.asked;
    auto const given = chat.given;
    w.execute("select postrider.deliver_event(lane_id, null, 'go', '{}', null) "
              "from postrider.lane");
    w.until("select state from postrider.job", "completed");
    auto const over = record_of(job);
    auto const all = numbered_events(over);
    EXPECT_TRUE(std::equal(half.begin(), half.end(), all.begin())) << "numbers stay";
    EXPECT_THAT(
        std::vector(all.begin() + 12, all.end()),
        ElementsAre(
            "13 step pause/event",
            "14 node_finished pause",
            "15 connection_used pause→end",
            "16 node_finished end",
            "17 done"
        )
    );
    auto const end = w.io.run(flow::retrace(*graph, over, *services)).value();
    ASSERT_NE(end.outcome, std::nullopt);
    EXPECT_EQ(end.outcome->output, over.details.output) << "the same as it was";
    EXPECT_THAT(end.missing, IsEmpty());
    EXPECT_THAT(end.unasked, IsEmpty());
    EXPECT_EQ(model.asked, asked);
    EXPECT_EQ(chat.given, given);
}

TEST_F(watching, shows_what_the_parts_of_an_agent_did) {
    auto const job = start();

    auto const record = record_of(job);
    auto const seen = w.io.run(flow::retrace(*graph, record, *services)).value().seen;
    auto const step = [&](std::string_view key) {
        return *std::ranges::find(record.details.steps, key, &queue::step_summary::key);
    };

    auto const& said = seen.nodes[2];
    EXPECT_EQ(said.state, flow::node_state::used);
    EXPECT_EQ(said.metadata.at("calls"), 2);
    EXPECT_EQ(said.output.at("ai_model").at(1).json.at("text"), "It is 4.");
    EXPECT_EQ(said.began, step("assistant/model").begins);
    EXPECT_EQ(said.ended, step("assistant/model#2").begins + step("assistant/model#2").took);
    auto const& called = seen.nodes[3];
    EXPECT_EQ(called.state, flow::node_state::used);
    EXPECT_EQ(called.metadata.at("calls"), 1);
    EXPECT_EQ(boost::json::serialize(called.input.at(0).json), R"({"expression":"2+2"})");
    EXPECT_EQ(boost::json::serialize(called.output.at("ai_tool").at(0).json), R"({"result":"4"})");
    EXPECT_EQ(called.began, step("assistant/tool:1").begins);
    EXPECT_EQ(called.ended, step("assistant/tool:1").begins + step("assistant/tool:1").took);
    EXPECT_EQ(seen.nodes[7].state, flow::node_state::used);
    EXPECT_EQ(seen.nodes[7].metadata.at("calls"), 1);
    EXPECT_EQ(seen.nodes[8].state, flow::node_state::not_reached) << "a tool nobody called";
}

TEST_F(watching, shows_since_when_an_event_is_waited_for) {
    auto const job = start();

    auto const waiting = record_of(job);
    auto const before = w.io.run(flow::retrace(*graph, waiting, *services)).value().seen;
    w.execute("select postrider.deliver_event(lane_id, null, 'go', '{}', null) "
              "from postrider.lane");
    w.until("select state from postrider.job", "completed");
    auto const over = record_of(job);
    auto const after = w.io.run(flow::retrace(*graph, over, *services)).value().seen;

    EXPECT_EQ(before.nodes[4].began, waiting.details.waits.at(0).begins);
    EXPECT_GT(*before.nodes[4].began, *before.nodes[1].ended);
    EXPECT_GE(*after.nodes[4].began, *before.nodes[4].began);
    EXPECT_LT(*after.nodes[4].began, *after.nodes[4].ended);
    EXPECT_LE(waiting.details.job.age, *after.nodes[4].ended) << "since then it waited";
    EXPECT_LT(*after.nodes[4].began, waiting.details.job.age);
    EXPECT_TRUE(flow::waited(over.details.steps.back()));
    EXPECT_FALSE(flow::waited(over.details.steps.front()));
}

TEST_F(watching, costs_the_model_nothing_while_nobody_looks) {
    looks = false;
    start();
    EXPECT_EQ(model.asked, 2u);
    EXPECT_FALSE(model.heard);
}

TEST_F(watching, hears_all_of_a_long_answer) {
    std::string const words = "größer ";
    auto& text = model.replies.back().text;
    while (text.size() < 5000) text += words;
    auto const whole = text;
    start();

    std::string heard;
    for (auto const& event : live->take())
        if (event.type == flow::model_chunk)
            heard += std::string(event.data.at("detail").at("text").as_string());
    EXPECT_EQ(heard, whole);
}

class watching_waits : public watching, public testing::WithParamInterface<std::string> {};

TEST_P(watching_waits, of_milliseconds_shows_them_as_over) {
    graph = compile(GetParam(), types);
    auto const over = record_of(start("completed"));

    auto const seen = w.io.run(flow::replay(*graph, over, *services)).value();

    EXPECT_NE(seen.outcome, std::nullopt);
    EXPECT_THAT(seen.missing, IsEmpty());
    for (auto const& node : seen.seen.nodes) EXPECT_EQ(node.state, flow::node_state::done);
    auto const& waited = seen.seen.nodes[1];
    EXPECT_GE(*waited.ended - *waited.began, 20ms);
    EXPECT_LE(*waited.ended, over.details.job.age);
    EXPECT_THAT(numbered_events(over).back(), EndsWith("done"));
}

INSTANTIATE_TEST_SUITE_P(
    flows, watching_waits, testing::Values(waits_at_the_end, waits_and_goes_on, waits_side_by_side)
);

TEST_F(watching, sees_live_what_the_record_does_not_have_yet) {
    start();

    std::vector<std::string> told;
    for (auto const& event : live->take())
        told.push_back(event.type + " " + std::string(event.data.at("node").as_string()));
    EXPECT_THAT(
        told,
        ElementsAre(
            "node_started start",
            "node_started assistant",
            "model_called assistant",
            "tool_called assistant",
            "model_called assistant",
            "model_chunk assistant",
            "node_started pause",
            "node_started note"
        )
    );
    EXPECT_TRUE(live->take_progress());
}

} // namespace

} // namespace postrider::tests::watching_test
