#include "tests/support/flow_builder.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::tests::flow_builder_test {
namespace {

namespace json = boost::json;

json::value built(flow_builder const& flow) {
    return json::parse(flow.text());
}

TEST(flow_builder, chains_the_nodes_in_the_order_of_the_calls) {
    EXPECT_EQ(
        built(flow_builder("order")
                  .trigger("In", "manual")
                  .node("Greet 2?", "set", {{"fields", {{"n", 1}}}})
                  .node("End", "stop")),
        json::parse(R"({
            "format": 1, "name": "order",
            "nodes": [
                {"id": "in", "name": "In", "type": "manual"},
                {"id": "greet_2", "name": "Greet 2?", "type": "set", "parameters": {"fields": {"n": 1}}},
                {"id": "end", "name": "End", "type": "stop"}
            ],
            "connections": [{"from": "in", "to": "greet_2"}, {"from": "greet_2", "to": "end"}]
        })")
    );
}

TEST(flow_builder, continues_after_an_output_and_joins_ways) {
    EXPECT_EQ(
        built(flow_builder("ways")
                  .trigger("In", "manual")
                  .node("If", "if")
                  .after("If", "true")
                  .node("A", "noop")
                  .node("B", "noop")
                  .connect("If", "B", "false"))
            .at("connections"),
        json::parse(R"([
            {"from": "in", "to": "if"}, {"from": "if", "to": "a", "output": "true"},
            {"from": "a", "to": "b"}, {"from": "if", "to": "b", "output": "false"}
        ])")
    );
}

TEST(flow_builder, supplies_agents_with_parts_that_they_share) {
    auto const flow = built(flow_builder("panel")
                                .trigger("In", "chat")
                                .agent("A", {{"prompt", "how?"}})
                                .part("Memory", "memory.window", {{"max_messages", 4}})
                                .agent("B")
                                .connect("Memory", "B")
                                .node("C", "noop"));
    auto const& nodes = flow.at("nodes").as_array();
    ASSERT_EQ(nodes.size(), 6u);
    EXPECT_EQ(nodes[1].at("type"), "agent");
    EXPECT_EQ(nodes[1].at("parameters").at("prompt"), "how?");
    EXPECT_EQ(nodes[2], json::parse(R"({"id": "model", "name": "Model", "type": "model"})"));
    EXPECT_EQ(nodes[3].at("parameters").at("max_messages"), 4);
    EXPECT_EQ(flow.at("connections"), json::parse(R"([
            {"from": "in", "to": "a"},
            {"type": "ai_model", "from": "model", "to": "a"},
            {"type": "ai_memory", "from": "memory", "to": "a"},
            {"from": "a", "to": "b"},
            {"type": "ai_model", "from": "model", "to": "b"},
            {"type": "ai_memory", "from": "memory", "to": "b"},
            {"from": "b", "to": "c"}
        ])"));
}

TEST(flow_builder, starts_at_several_triggers) {
    EXPECT_EQ(
        built(flow_builder("two").trigger("In", "chat").trigger("At", "schedule").node("A", "noop"))
            .at("connections"),
        json::parse(R"([{"from": "at", "to": "a"}])")
    );
}

TEST(flow_builder, adds_members_to_the_flow_and_to_the_last_node) {
    EXPECT_EQ(
        built(flow_builder("named")
                  .description("What it does.")
                  .settings({{"timeout", "1h"}})
                  .trigger("In", "manual")
                  .with("disabled", true)
                  .with("notes", "off")),
        json::parse(R"({
            "format": 1, "name": "named", "description": "What it does.", "settings": {"timeout": "1h"},
            "nodes": [{"id": "in", "name": "In", "type": "manual", "disabled": true, "notes": "off"}]
        })")
    );
}

} // namespace
} // namespace postrider::tests::flow_builder_test
