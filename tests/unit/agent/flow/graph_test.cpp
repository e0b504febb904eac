#include "agent/flow/validate/graph.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::flow::graph_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;
using tests::codes;
using tests::flow_text;
using tests::link_text;
using tests::node_text;
using tests::read_flow;

catalog const& types() {
    static catalog const all = builtin_types();
    return all;
}

std::shared_ptr<graph const> compiled(std::string_view text) {
    auto compilation = graph::compile(read_flow(text), types());
    if (auto* problems = std::get_if<std::vector<problem>>(&compilation))
        for (auto const& finding : *problems) ADD_FAILURE() << to_text(finding);
    return std::get<std::shared_ptr<graph const>>(compilation);
}

// Knows $json only.
class one_item final : public scope {
public:
    explicit one_item(json::value item) : item_(std::move(item)) {}
    json::value const* variable(std::string_view name) const override {
        return name == "$json" ? &item_ : nullptr;
    }
    json::value const* node(std::string_view) const override { return nullptr; }

private:
    json::value item_;
};

auto const assistant = flow_text(
    node_text("agent", "agent") + "," + node_text("model", "model") + "," +
        node_text("off", "tool.calculator", "", R"("disabled":true)") + "," +
        node_text("sum", "tool.calculator") + "," + node_text("in", "manual") + "," +
        node_text("in2", "chat") + "," + node_text("in3", "chat", "", R"("disabled":true)"),
    link_text("sum", "agent", R"("type":"ai_tool")") + "," + link_text("in2", "agent") + "," +
        link_text("off", "agent", R"("type":"ai_tool")") + "," +
        link_text("model", "agent", R"("type":"ai_model")") + "," + link_text("in", "agent"),
    R"("lane":"u:{{ $json.user }}")"
);

TEST(graph, links_neighbours_in_the_documents_order) {
    auto const flow_graph = compiled(assistant);
    auto const& agent = flow_graph->nodes().at(0);
    EXPECT_EQ(agent.node, &flow_graph->flow().nodes[0]);
    EXPECT_EQ(agent.type->name, "agent");
    EXPECT_THAT(agent.main_inputs, ElementsAre(1, 4)) << "connections";
    EXPECT_THAT(agent.main_outputs, IsEmpty());
    EXPECT_THAT(agent.parts, ElementsAre(3, 1)) << "nodes, the disabled tool left out";
    EXPECT_THAT(flow_graph->nodes().at(4).main_outputs, ElementsAre(4));
    EXPECT_THAT(flow_graph->triggers(), ElementsAre(4, 5)) << "but not the disabled one";
}

TEST(graph, evaluates_defaults_that_are_expressions) {
    auto const flow_graph = compiled(assistant);
    one_item const item(json::object{{"text", "Hello"}, {"user", 7}});
    auto const parameters = flow_graph->nodes().at(0).parameters.evaluate(item);
    ASSERT_TRUE(parameters);
    EXPECT_EQ(parameters->at("prompt"), "Hello");
    EXPECT_EQ(parameters->at("max_iterations"), 10);
}

TEST(graph, is_not_made_of_a_wrong_flow) {
    auto const compilation = graph::compile(read_flow(flow_text(node_text("a", "agent"))), types());
    EXPECT_THAT(
        codes(std::get<std::vector<problem>>(compilation)),
        ElementsAre(
            "missing_connection /nodes/0", "missing_connection /nodes/0", "no_trigger /nodes"
        )
    );
}

TEST(graph, is_made_although_somebody_should_look) {
    auto const flow_graph = compiled(flow_text(
        node_text("in", "manual") + "," + node_text("lost", "set", R"("fields":{})") + "," +
        node_text("old", "gone", R"("x":"{{ 1 + }}")", R"("disabled":true)")
    ));
    EXPECT_EQ(flow_graph->nodes().at(2).type, nullptr);
    EXPECT_TRUE(flow_graph->nodes().at(2).parameters.constant());
}

} // namespace
} // namespace postrider::agent::flow::graph_test
