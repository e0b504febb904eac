#include "agent/describe/bounds.hpp"
#include "agent/flow/validate/validate.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::flow::validate_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
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

std::vector<problem> validated(std::string_view text, validation_context const& context = {}) {
    return validate(read_flow(text), types(), context);
}

std::string list(std::initializer_list<std::string> parts) {
    std::string all;
    for (auto const& part : parts) all += (all.empty() ? "" : ",") + part;
    return all;
}

// A trigger, an agent with its model, and what the test adds; connections of the first three.
std::string with_agent(
    std::string_view parameters, std::string const& nodes = "", std::string const& links = ""
) {
    auto all = list(
        {node_text("in", "manual"),
         node_text("agent", "agent", parameters),
         node_text("model", "model")}
    );
    auto joined =
        list({link_text("in", "agent"), link_text("model", "agent", R"("type":"ai_model")")});
    return flow_text(
        nodes.empty() ? all : list({all, nodes}), links.empty() ? joined : list({joined, links})
    );
}

// A trigger and a node behind it.
std::string behind_trigger(std::string const& node, std::string const& name = "a") {
    return flow_text(list({node_text("in", "manual"), node}), link_text("in", name));
}

TEST(validate, a_whole_agent_is_well) {
    auto const text = with_agent(
        R"("system_prompt":"You are {{ $vars.name }}.","max_iterations":50,"tool_choice":"required",
           "output_format":"json_schema","schema":{"type":"object"})",
        list(
            {node_text("memory", "memory.window", R"("session_id":"{{ $json.user }}")"),
             node_text("sum", "tool.calculator"),
             node_text("time", "tool.current_time"),
             node_text("out", "telegram.send", R"("text":"{{ $json.text }}")")}
        ),
        list(
            {link_text("memory", "agent", R"("type":"ai_memory")"),
             link_text("sum", "agent", R"("type":"ai_tool")"),
             link_text("time", "agent", R"("type":"ai_tool")"),
             link_text("agent", "out")}
        )
    );
    EXPECT_THAT(codes(validated(text)), IsEmpty());
}

struct mistake {
    std::string text;
    std::string problem;
};

// covers: S3.01 S3.11 S3.18
TEST(validate, names_each_mistake_with_its_path) {
    auto const two_models = with_agent(
        "", node_text("model2", "model.rules"), link_text("model2", "agent", R"("type":"ai_model")")
    );
    std::string nodes, links; // beside the one that is there
    for (int more = 1; more <= bounds::most_models; ++more) {
        auto const id = fmt::format("more{}", more);
        nodes += (nodes.empty() ? "" : ",") + node_text(id, "model.rules");
        links += (links.empty() ? "" : ",") + link_text(id, "agent", R"("type":"ai_model")");
    }
    auto const too_many_models = with_agent("", nodes, links);
    auto const two_memories = with_agent(
        "",
        list({node_text("m1", "memory.window"), node_text("m2", "memory.window")}),
        list(
            {link_text("m1", "agent", R"("type":"ai_memory")"),
             link_text("m2", "agent", R"("type":"ai_memory")")}
        )
    );
    auto const two_calculators = with_agent(
        "",
        list({node_text("t1", "tool.calculator"), node_text("t2", "tool.calculator")}),
        list(
            {link_text("t1", "agent", R"("type":"ai_tool")"),
             link_text("t2", "agent", R"("type":"ai_tool")")}
        )
    );
    auto const clash_of_rules = node_text(
        "a", "switch", R"("rules":[{"name":"x","condition":true},{"name":"x","condition":false}])"
    );
    for (auto const& [text, problem] : {
             mistake{behind_trigger(node_text("a", "agnet")), "unknown_type /nodes/1/type"},
             mistake{
                 behind_trigger(node_text("a", "stop", R"("message":"m")", R"("type_version":9)")),
                 "unknown_version /nodes/1/type_version"},
             mistake{
                 behind_trigger(node_text("a", "stop")),
                 "missing_parameter /nodes/1/parameters/message"},
             mistake{
                 behind_trigger(node_text("a", "stop", R"("message":"m","mesage":"n")")),
                 "unknown_parameter /nodes/1/parameters/mesage"},
             mistake{
                 behind_trigger(node_text("a", "stop", R"("message":7)")),
                 "invalid_parameter /nodes/1/parameters/message"},
             mistake{
                 behind_trigger(node_text("a", "switch", R"("rules":[{"name":"x"}])")),
                 "missing_parameter /nodes/1/parameters/rules/0"},
             mistake{
                 behind_trigger(node_text("a", "if", R"("condition":"yes")")),
                 "invalid_parameter /nodes/1/parameters/condition"},
             mistake{
                 behind_trigger(node_text("a", "wait", R"("duration":"soon")")),
                 "invalid_parameter /nodes/1/parameters/duration"},
             mistake{
                 behind_trigger(node_text("a", "wait", R"("duration":"1s","event":"e")")),
                 "parameter_choice /nodes/1/parameters"},
             mistake{
                 behind_trigger(node_text("a", "wait")), "parameter_choice /nodes/1/parameters"},
             mistake{
                 flow_text(node_text("a", "schedule", R"("cron":"* * *")")),
                 "invalid_parameter /nodes/0/parameters/cron"},
             mistake{
                 flow_text(node_text("a", "schedule", R"("cron":"@daily","timezone":"Mars")")),
                 "invalid_parameter /nodes/0/parameters/timezone"},
             mistake{
                 flow_text(node_text("a", "webhook", R"("path":"/x","secret":"s")")),
                 "invalid_parameter /nodes/0/parameters/path"},
             mistake{
                 flow_text(node_text("a", "webhook", R"("path":"x")")),
                 "missing_parameter /nodes/0/parameters"},
             mistake{
                 flow_text(node_text("a", "webhook", R"("path":"{{ $json.x }}","secret":"s")")),
                 "expression_not_allowed /nodes/0/parameters/path"},
             mistake{
                 with_agent(R"("max_iterations":51)"),
                 "invalid_parameter /nodes/1/parameters/max_iterations"},
             mistake{
                 with_agent(R"("output_format":"json_schema","schema":{"type":"objekt"})"),
                 "invalid_parameter /nodes/1/parameters/schema"},
             mistake{
                 with_agent(R"("output_format":"json_schema")"),
                 "missing_parameter /nodes/1/parameters"},
             mistake{
                 with_agent(R"("prompt":"{{ $json. }}")"), "expression /nodes/1/parameters/prompt"},
             mistake{
                 with_agent(R"("prompt":"{{ $node[\"ni\"].json.text }}")"),
                 "unknown_node /nodes/1/parameters/prompt"},
             mistake{
                 with_agent(R"("prompt":"{{ $node[\"model\"].json.text }}")"),
                 "not_before /nodes/1/parameters/prompt (warning)"},
             mistake{
                 with_agent(R"("prompt":"{{ $from_ai('city') }}")"),
                 "from_ai_not_allowed /nodes/1/parameters/prompt"},
             mistake{
                 flow_text(node_text("in", "manual"), "", R"("lane":"{{ 1 + }}")"),
                 "expression /settings/lane"},
             mistake{
                 flow_text(node_text("in", "manual"), "", R"("lane":"{{ $session.user }}")"),
                 "not_yet /settings/lane"},
             mistake{
                 flow_text(
                     node_text("in", "manual"), "", R"("lane":"{{ $node['in'].json.user }}")"
                 ),
                 "not_yet /settings/lane"},
             mistake{
                 flow_text(node_text("in", "manual"), "", R"("timeout":"0s")"),
                 "out_of_range /settings/timeout"},
             mistake{
                 flow_text(node_text("in", "manual"), "", R"("timeout":"999ms")"),
                 "out_of_range /settings/timeout"},
             mistake{flow_text(node_text("in", "manual"), "", R"("timeout":"1s")"), ""},
             mistake{two_models, ""},
             mistake{too_many_models, "surplus_connection /connections/6"},
             mistake{two_memories, "surplus_connection /connections/3"},
             mistake{two_calculators, "duplicate_tool /nodes/4"},
             mistake{
                 flow_text(
                     list({node_text("in", "manual"), node_text("a", "agent")}),
                     link_text("in", "a")
                 ),
                 "missing_connection /nodes/1"},
             mistake{
                 with_agent("", "", link_text("in", "agent")),
                 "duplicate_connection /connections/2"},
             mistake{
                 with_agent("", "", link_text("in", "agent", R"("output":"out")")),
                 "unknown_output /connections/2/output"},
             mistake{
                 with_agent("", node_text("in2", "manual"), link_text("agent", "in2")),
                 "unknown_input /connections/2/input"},
             mistake{
                 with_agent(
                     "", "", link_text("model", "agent", R"("type":"ai_tool","output":"ai_model")")
                 ),
                 "wrong_connection /connections/2"},
             mistake{
                 with_agent(
                     "", "", link_text("in", "agent", R"("type":"ai_memory","output":"main")")
                 ),
                 "wrong_connection /connections/2"},
             // Without it the agent has no model, which need not be told.
             mistake{
                 flow_text(
                     list(
                         {node_text("in", "manual"),
                          node_text("agent", "agent"),
                          node_text("model", "model")}
                     ),
                     list(
                         {link_text("in", "agent"),
                          link_text("model", "agent", R"("type":"model")")}
                     )
                 ),
                 "unknown_word /connections/1/type"},
             mistake{
                 behind_trigger(clash_of_rules),
                 "duplicate_output /nodes/1/parameters/rules/1/name"},
             mistake{behind_trigger(node_text("a", "set", R"("fields":{})")), ""},
             mistake{flow_text(node_text("a", "set", R"("fields":{})")), "no_trigger /nodes"},
             mistake{
                 flow_text(node_text("in", "manual", "", R"("disabled":true)")),
                 "no_trigger /nodes"},
             mistake{
                 flow_text(list({node_text("in", "manual"), node_text("a", "set", R"("fields":{})")}
                 )),
                 "unreachable /nodes/1 (warning)"},
             mistake{
                 with_agent("", node_text("t", "tool.calculator")),
                 "unreachable /nodes/3 (warning)"},
         }) {
        auto const found = validated(text);
        if (problem.empty())
            EXPECT_THAT(codes(found), IsEmpty()) << text;
        else
            EXPECT_THAT(codes(found), ElementsAre(problem)) << text;
        for (auto const& finding : found) EXPECT_FALSE(finding.message.empty()) << finding.code;
    }
}

TEST(validate, looks_at_a_node_of_an_unknown_version_as_at_the_newest) {
    auto const version = R"("type_version":9)";
    EXPECT_THAT(
        codes(validated(behind_trigger(node_text("a", "stop", R"("mesage":"m")", version)))),
        ElementsAre(
            "unknown_version /nodes/1/type_version",
            "missing_parameter /nodes/1/parameters/message",
            "unknown_parameter /nodes/1/parameters/mesage"
        )
    );
    EXPECT_THAT(
        codes(validated(flow_text(node_text("in", "manual", "", version)))),
        ElementsAre("unknown_version /nodes/0/type_version")
    );
}

TEST(validate, names_the_nodes_of_each_cycle_in_order) {
    auto const set = [](std::string_view name) { return node_text(name, "set", R"("fields":{})"); };
    auto const found = validated(flow_text(
        list({node_text("in", "manual"), set("a"), set("b"), set("c"), set("d")}),
        list(
            {link_text("in", "a"),
             link_text("a", "b"),
             link_text("b", "c"),
             link_text("c", "a"),
             link_text("c", "d"),
             link_text("d", "d")}
        )
    ));
    ASSERT_THAT(codes(found), ElementsAre("cycle /connections/3", "cycle /connections/5"));
    EXPECT_THAT(found[0].message, HasSubstr(R"("a" → "b" → "c" → "a")"));
    EXPECT_EQ(found[0].node, "a");
    EXPECT_THAT(found[1].message, HasSubstr(R"("d" → "d")"));
}

TEST(validate, tools_of_one_name_are_told_at_the_name_that_is_written) {
    auto const text = with_agent(
        "",
        list(
            {node_text("t1", "tool.calculator"),
             node_text("t2", "tool.current_time", R"("name":"calculator")")}
        ),
        list(
            {link_text("t1", "agent", R"("type":"ai_tool")"),
             link_text("t2", "agent", R"("type":"ai_tool")")}
        )
    );
    EXPECT_THAT(codes(validated(text)), ElementsAre("duplicate_tool /nodes/4/parameters/name"));
}

TEST(validate, branches_that_meet_again_are_no_cycle) {
    auto const set = [](std::string_view name) { return node_text(name, "set", R"("fields":{})"); };
    EXPECT_THAT(
        codes(validated(flow_text(
            list(
                {node_text("in", "manual"),
                 node_text("if", "if", R"("condition":"{{ true }}")"),
                 set("a"),
                 set("b"),
                 set("c")}
            ),
            list(
                {link_text("in", "if"),
                 link_text("if", "a", R"("output":"true")"),
                 link_text("if", "b", R"("output":"false")"),
                 link_text("a", "c"),
                 link_text("b", "c")}
            )
        ))),
        IsEmpty()
    );
}

TEST(validate, knows_the_outputs_of_a_switch_and_of_errors) {
    auto const way = node_text(
        "way",
        "switch",
        R"("rules":[{"name":"big","condition":"{{ $json.n > 9 }}"}])",
        R"("on_error":"error_output")"
    );
    auto const nodes =
        list({node_text("in", "manual"), way, node_text("a", "set", R"("fields":{})")});
    for (auto output : {"big", "otherwise", "error"})
        EXPECT_THAT(
            codes(validated(flow_text(
                nodes,
                list(
                    {link_text("in", "way"),
                     link_text("way", "a", fmt::format(R"("output":"{}")", output))}
                )
            ))),
            IsEmpty()
        ) << output;
    EXPECT_THAT(
        codes(validated(flow_text(nodes, list({link_text("in", "way"), link_text("way", "a")})))),
        ElementsAre("unknown_output /connections/1/output")
    );
}

TEST(validate, a_disabled_node_may_be_unfinished) {
    auto const found = validated(
        behind_trigger(node_text("a", "no.such", R"("x":"{{ 1 + }}")", R"("disabled":true)"))
    );
    EXPECT_THAT(
        codes(found),
        ElementsAre(
            "unknown_type /nodes/1/type (warning)", "expression /nodes/1/parameters/x (warning)"
        )
    );
    EXPECT_FALSE(any_error(found));
}

} // namespace
} // namespace postrider::agent::flow::validate_test
