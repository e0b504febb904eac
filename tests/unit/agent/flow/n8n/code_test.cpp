// Code of n8n's reads what it read there.
#include "tests/unit/agent/flow/n8n/imported.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::flow::n8n::code_test {
namespace {

namespace json = boost::json;
using testing::IsEmpty;

imported_draft with_code(
    std::string_view trigger, json::object code, std::string_view type = "x.code"
) {
    json::object const node{
        {"name", "Code"}, {"type", type}, {"typeVersion", 2}, {"parameters", std::move(code)}};
    return imported_workflow(
        R"({"name": "T", )" + std::string(trigger) + R"(}, {"name": "Get", "type": "x.noOp"}, )" +
            json::serialize(node),
        linked("T Get, Get Code")
    );
}

// covers: S3.19
TEST(n8n_code, has_the_items_of_the_nodes_that_it_names) {
    auto const draft = with_code(
        R"("type": "x.manualTrigger")",
        {{"jsCode",
          "const a = $('Get').first().json.a + $node[\"T\"].json.b + $('Nobody').all();\nreturn { "
          "a };"}}
    );
    auto const code = node_named(draft, "Code").at("parameters").as_object();
    EXPECT_EQ(
        code.at("values"),
        json::parse(R"({"Get": "{{ has($node[\"Get\"].json) ? $node[\"Get\"].items : [] }}",
                        "T": "{{ has($node[\"T\"].json) ? $node[\"T\"].items : [] }}"})")
    );
    EXPECT_THAT(errors_of(draft), IsEmpty());
}

// covers: S3.19
TEST(n8n_code, finds_the_fields_of_items_under_their_names_in_n8n) {
    auto const draft = with_code(
        R"("type": "x.chatTrigger")",
        {{"jsCode", "return { a: $json.chatInput, b: $('T').item.json.sessionId };"},
         {"mode", "runOnceForEachItem"}}
    );
    auto const code = node_named(draft, "Code").at("parameters").as_object();
    EXPECT_EQ(
        code.at("code"),
        "for (const i of $input) Object.assign(i, {\"chatInput\": i?.text, \"input\": i?.text, "
        "\"sessionId\": "
        "i?.conversation});\nreturn { a: $json.chatInput, b: $('T').item.json.sessionId };"
    );
    EXPECT_EQ(code.at("run"), "each");
    EXPECT_EQ(
        code.at("values").at("T"),
        "{{ (has($node[\"T\"].json) ? $node[\"T\"].items : []).map(i, i.merge({\"chatInput\": "
        "i.?text, \"input\": "
        "i.?text, \"sessionId\": i.?conversation})) }}"
    );
    EXPECT_THAT(errors_of(draft), IsEmpty());
}

TEST(n8n_code, has_variables_static_data_and_braces) {
    auto const draft = with_code(
        R"("type": "x.manualTrigger")",
        {{"jsCode",
          "const d = $getWorkflowStaticData('global');\nreturn { a: $env.KEY, b: '{{x}}' };"}}
    );
    auto const code = node_named(draft, "Code").at("parameters").as_object();
    EXPECT_EQ(
        code.at("code"),
        "const $env = $values.variables, $vars = $env;\nconst $getWorkflowStaticData = () => "
        "({});\n"
        "const d = $getWorkflowStaticData('global');\nreturn { a: $env.KEY, b: '{\\x7bx}}' };"
    );
    EXPECT_EQ(code.at("values"), json::parse(R"({"variables": "{{ $vars }}"})"));
    EXPECT_EQ(draft.document.at("settings").at("variables"), json::parse(R"({"KEY": ""})"));
    EXPECT_THAT(errors_of(draft), IsEmpty());
}

TEST(n8n_code, of_a_function_for_each_item_has_it_as_item) {
    auto const draft = with_code(
        R"("type": "x.manualTrigger")",
        {{"functionCode", "item.a = 1;\nreturn item;"}},
        "x.functionItem"
    );
    auto const code = node_named(draft, "Code").at("parameters").as_object();
    EXPECT_EQ(code.at("code"), "let item = $json;\nitem.a = 1;\nreturn item;");
    EXPECT_EQ(code.at("run"), "each");
}

} // namespace
} // namespace postrider::agent::flow::n8n::code_test
