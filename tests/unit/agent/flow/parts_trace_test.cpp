// What the parts of an agent did, from its steps.
#include "agent/flow/watch/parts_trace.hpp"
#include "agent/models/reply_json.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::agent::flow::parts_trace_test {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

constexpr auto document = R"({
    "format": 1, "name": "small",
    "nodes": [
        {"id": "start", "name": "Start", "type": "manual"},
        {"id": "a", "name": "A", "type": "agent"},
        {"id": "model", "name": "Model", "type": "model"},
        {"id": "spare", "name": "Spare", "type": "model"},
        {"id": "calculator", "name": "Calculator", "type": "tool.calculator"},
        {"id": "memory", "name": "Memory", "type": "memory.window"},
        {"id": "servers", "name": "Servers", "type": "tool.mcp"},
        {"id": "forget", "name": "Forget", "type": "memory.clear"}
    ],
    "connections": [
        {"from": "start", "to": "a"},
        {"type": "ai_model", "from": "model", "to": "a"},
        {"type": "ai_tool", "from": "calculator", "to": "a"},
        {"type": "ai_memory", "from": "memory", "to": "a"},
        {"type": "ai_tool", "from": "servers", "to": "a"},
        {"from": "start", "to": "forget"},
        {"type": "ai_memory", "from": "memory", "to": "forget"}
    ]
})";

enum : std::size_t {
    agent_node = 1,
    model_node,
    spare_node,
    calculator_node,
    memory_node,
    servers_node,
    forget_node
};

struct parts_trace : testing::Test {
    std::shared_ptr<graph const> const of = tests::compiled(document);
    queue::job_details record;
    retraced seen;

    parts_trace() {
        seen.seen.nodes.resize(of->nodes().size());
        agent().began = 1ms;
        agent().state = node_state::running;
        agent().input.push_back({boost::json::object{{"text", "2+2"}}});
    }

    node_trace& agent() { return seen.seen.nodes[agent_node]; }
    node_trace const& model() const { return seen.seen.nodes[model_node]; }
    node_trace const& calculator() const { return seen.seen.nodes[calculator_node]; }
    node_trace const& memory() const { return seen.seen.nodes[memory_node]; }

    queue::step_summary& record_step(std::string key, int begins, int ends) {
        queue::step_summary step;
        step.number = static_cast<std::int64_t>(record.steps.size()) + 1;
        step.key = std::move(key);
        step.outcome = "done";
        step.begins = begins * 1ms;
        step.took = (ends - begins) * 1ms;
        record.steps.push_back(std::move(step));
        return record.steps.back();
    }

    // A reply that asks for the calculator under one id, so often.
    void record_calls(std::vector<std::string> expressions) {
        chat_reply reply;
        reply.stop = stop_reason::tool_calls;
        reply.provider_state = "opaque";
        for (auto& each : expressions)
            reply.calls.push_back({"call", "calculator", {{"expression", each}}, {}});
        record_step("a/model", 2, 12).result = to_json(reply);
    }

    void tell_call(std::string_view tool = "calculator", std::string_view part = "calculator") {
        seen.seen.happened.push_back(
            {happening::sort::told,
             agent_node,
             12ms,
             0,
             "tool_called",
             {{"tool", tool}, {"call", "call"}, {"part", part}}}
        );
    }
};

TEST_F(parts_trace, tells_of_every_call_of_a_tool) {
    record_calls({"1+1", "1/0"});
    tell_call();
    tell_call();
    record_step("a/tool:1", 13, 14).result = "2";
    auto& failed = record_step("a/tool:2", 15, 17);
    failed.outcome = "failed";
    failed.error_class = "invalid";
    failed.error = "division by zero";

    add_parts(seen, *of, record);

    EXPECT_EQ(calculator().state, node_state::used);
    EXPECT_EQ(calculator().metadata.at("calls"), 2);
    EXPECT_EQ(calculator().began, 13ms);
    EXPECT_EQ(calculator().ended, 17ms);
    EXPECT_EQ(calculator().input.at(0).json.at("expression"), "1+1");
    EXPECT_EQ(calculator().input.at(1).json.at("expression"), "1/0");
    auto const& results = calculator().output.at("ai_tool");
    EXPECT_EQ(boost::json::serialize(results.at(0).json), R"({"result":"2"})");
    EXPECT_EQ(results.at(1).json.at("error").at("message"), "division by zero");
}

TEST_F(parts_trace, finds_the_node_of_a_tool_that_has_another_name) {
    record_calls({"1+1"});
    auto reply = *reply_from_json(record.steps.back().result);
    reply.calls.front().name = "files_read";
    record.steps.back().result = to_json(reply);
    tell_call("files_read", "servers");
    record_step("a/tool:1", 13, 14).result = "text of the file";

    add_parts(seen, *of, record);

    auto const& servers = seen.seen.nodes[servers_node];
    EXPECT_EQ(servers.state, node_state::used);
    EXPECT_EQ(servers.input.at(0).json.at("expression"), "1+1");
    EXPECT_EQ(servers.output.at("ai_tool").at(0).json.at("result"), "text of the file");
}

TEST_F(parts_trace, shows_a_tool_that_still_runs) {
    record_calls({"1+1"});
    tell_call();
    seen.missing = {"a/tool:1"};

    add_parts(seen, *of, record);

    EXPECT_EQ(calculator().state, node_state::running);
    EXPECT_EQ(calculator().began, 12ms);
    EXPECT_EQ(calculator().ended, std::nullopt);
    EXPECT_EQ(calculator().input.size(), 1u);
    EXPECT_THAT(calculator().output, IsEmpty());
}

TEST_F(parts_trace, counts_the_tries_of_a_model_and_shows_its_replies) {
    auto& first = record_step("a/model", 2, 5);
    first.outcome = "retry";
    first.error_class = "unavailable";
    record_calls({"1+1"});
    record.steps.back().number = 1;
    record.steps.back().attempt = 2;
    seen.missing = {"a/model#2"};

    add_parts(seen, *of, record);

    EXPECT_EQ(model().state, node_state::running) << "it is asked once more";
    EXPECT_EQ(model().metadata.at("calls"), 2);
    EXPECT_EQ(model().began, 2ms);
    EXPECT_EQ(model().output.at("ai_model").size(), 1u);
    EXPECT_FALSE(model().output.at("ai_model").at(0).json.as_object().contains("state"));
    EXPECT_EQ(seen.seen.nodes[spare_node].state, node_state::not_reached) << "no agent has it";
}

// covers: S3.16
TEST_F(parts_trace, shows_which_of_several_models_answered) {
    auto const listed = tests::compiled(tests::flow_builder("small")
                                            .trigger("Start", "manual")
                                            .node("A", "agent")
                                            .part("Model", "model")
                                            .part("Spare", "model")
                                            .text());
    auto& failed = record_step("a/model", 2, 5);
    failed.outcome = "failed";
    failed.error_class = "unauthorized";
    record_step("a/model:2", 6, 9).result = to_json(chat_reply{});
    seen.missing = {"a/model:2#2"};

    add_parts(seen, *listed, record);

    EXPECT_EQ(model().failure->code, base::errc::unauthorized);
    EXPECT_EQ(model().state, node_state::used);
    EXPECT_EQ(model().ended, 5ms);
    auto const& spare = seen.seen.nodes[spare_node];
    EXPECT_EQ(spare.state, node_state::running);
    EXPECT_EQ(spare.began, 6ms);
    EXPECT_EQ(spare.output.at("ai_model").size(), 1u);
}

TEST_F(parts_trace, tells_of_a_memory_that_could_not_be_read) {
    record_calls({});
    agent().state = node_state::done;
    agent().metadata["memory_degraded"] = "timeout";

    add_parts(seen, *of, record);

    EXPECT_EQ(memory().state, node_state::used);
    EXPECT_EQ(memory().metadata.at("calls"), 1);
    EXPECT_EQ(memory().began, 1ms);
    EXPECT_EQ(memory().ended, 2ms);
    EXPECT_EQ(memory().failure->code, base::errc::timeout);
}

// Steps that another version recorded are not of this one's parts.
TEST_F(parts_trace, leaves_out_what_was_not_asked_for) {
    record_calls({"1+1"});
    seen.unasked = {"a/model"};

    add_parts(seen, *of, record);

    EXPECT_EQ(model().state, node_state::not_reached);
    EXPECT_EQ(memory().state, node_state::not_reached);
}

TEST_F(parts_trace, shows_the_memory_that_another_node_works_on) {
    agent().began.reset();
    seen.seen.nodes[forget_node].began = 3ms;
    seen.seen.nodes[forget_node].ended = 5ms;

    add_parts(seen, *of, record);

    EXPECT_EQ(memory().state, node_state::used);
    EXPECT_EQ(memory().began, 3ms);
    EXPECT_EQ(memory().ended, 5ms);
}

} // namespace
} // namespace postrider::agent::flow::parts_trace_test
