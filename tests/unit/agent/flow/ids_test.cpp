// Ids of a flow: a replay of the execution gives them again, and another execution others.
#include "agent/untrusted_text.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::ids_test {

namespace {

namespace json = boost::json;

constexpr std::string_view flow_with_ids = R"({
    "format": 1, "name": "ids",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "a", "name": "A", "type": "set", "parameters": {"fields": {"a": "{{ uuid() }}"}}},
        {"id": "b", "name": "B", "type": "set",
         "parameters": {"fields": {"a": "{{ $json.a }}", "b": "{{ uuid() }}"}}}
    ],
    "connections": [{"from": "in", "to": "a"}, {"from": "a", "to": "b"}]
})";

// covers: S3.18
TEST(ids, are_those_of_the_first_run_when_an_execution_is_replayed) {
    flow_world w(flow_with_ids);
    auto const first = w.ended(w.run());
    w.clock.advance(std::chrono::hours(1));
    EXPECT_EQ(w.ended(w.run()), first);
    auto const item = json::parse(first).at(0);
    EXPECT_NE(item.at("a"), item.at("b"));
}

TEST(ids, are_others_in_another_execution) {
    flow_world execution(flow_with_ids);
    flow_world other(flow_with_ids);
    other.job.id = job_id{101};
    EXPECT_NE(execution.ended(execution.run()), other.ended(other.run()));
}

TEST(ids, are_others_in_each_call_of_a_flow) {
    flow_world w(R"({
        "format": 1, "name": "outer",
        "nodes": [
            {"id": "in", "name": "In", "type": "manual"},
            {"id": "first", "name": "First", "type": "call_flow", "parameters": {"flow": "ids"}},
            {"id": "second", "name": "Second", "type": "call_flow", "parameters": {"flow": "ids"}},
            {"id": "both", "name": "Both", "type": "set", "parameters": {"fields": {
                "first": "{{ $node['First'].json.a }}", "second": "{{ $json.a }}"}}}
        ],
        "connections": [{"from": "in", "to": "first"}, {"from": "first", "to": "second"},
                        {"from": "second", "to": "both"}]
    })");
    w.others["ids"] = compiled(flow_with_ids);
    auto const item = json::parse(w.ended(w.run())).at(0);
    EXPECT_NE(item.at("first"), item.at("second"));
}

TEST(ids, are_others_in_each_call_of_a_tool_with_the_same_arguments) {
    flow_world w(R"({
        "format": 1, "name": "guide",
        "nodes": [
            {"id": "in", "name": "In", "type": "manual"},
            {"id": "guide", "name": "Guide", "type": "agent"},
            {"id": "model", "name": "Model", "type": "model"},
            {"id": "order", "name": "Order", "type": "tool.flow",
             "parameters": {"name": "order", "description": "Orders.", "flow": "shop",
                            "input": {"what": "{{ $from_ai('what', 'what') }}", "key": "{{ uuid() }}"}}}
        ],
        "connections": [
            {"from": "in", "to": "guide"},
            {"type": "ai_model", "from": "model", "to": "guide"},
            {"type": "ai_tool", "from": "order", "to": "guide"}
        ]
    })");
    w.others["shop"] = compiled(R"({
        "format": 1, "name": "shop",
        "nodes": [
            {"id": "in", "name": "In", "type": "manual"},
            {"id": "out", "name": "Out", "type": "set", "parameters": {"fields": {"text": "{{ $json.key }}"}}}
        ],
        "connections": [{"from": "in", "to": "out"}]
    })");
    w.model.script = {
        calls({{"order", {{"what", "tea"}}}, {"order", {{"what", "tea"}}}}), says("Two cups")};
    w.run(json::object{{"text", "Tea for two"}});
    auto const& messages = w.model.requests.at(1).messages;
    ASSERT_GE(messages.size(), 2u);
    auto const first = messages[messages.size() - 2].content;
    EXPECT_EQ(first.size(), agent::mark_untrusted(std::string(36, 'x'), "order").size());
    EXPECT_NE(first, messages.back().content);
}

} // namespace

} // namespace postrider::tests::ids_test
