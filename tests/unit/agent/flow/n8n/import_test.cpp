// Workflows of n8n become drafts that can be read, and say what a person should look at.
#include "agent/flow/n8n/import.hpp"
#include "agent/flow/n8n/mapping.hpp"
#include "agent/flow/validate/validate.hpp"
#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace postrider::agent::flow::n8n::import_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::IsSupersetOf;

catalog const& types() {
    static catalog const all = builtin_types();
    return all;
}

imported_draft imported(std::string_view text) {
    return import_workflow(text, types()).value();
}

json::object const& node(imported_draft const& draft, std::string_view name) {
    for (auto const& entry : draft.document.at("nodes").as_array())
        if (entry.at("name").as_string() == json::string_view(name.data(), name.size()))
            return entry.get_object();
    throw std::runtime_error("no node " + std::string(name));
}

std::vector<std::string> codes(imported_draft const& draft) {
    std::vector<std::string> all;
    for (auto const& problem : draft.problems) all.push_back(problem.code);
    return all;
}

std::vector<std::filesystem::path> workflows_in(std::filesystem::path const& folder) {
    std::vector<std::filesystem::path> files;
    for (auto const& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    return files;
}

void check_file(std::filesystem::path const& path) {
    std::ifstream file(path, std::ios::binary);
    std::string const text(std::istreambuf_iterator<char>(file), {});
    auto const draft = import_workflow(text, types());
    ASSERT_TRUE(draft) << path << ": " << to_text(draft.error());
    auto const read = read_definition(draft->document);
    auto const* problems = std::get_if<std::vector<problem>>(&read);
    EXPECT_FALSE(problems) << path << ": " << (problems ? to_text(problems->front()) : "");
    for (auto const& problem : draft->problems)
        EXPECT_TRUE(std::ranges::any_of(import_codes(), [&](auto const& known) {
            return known.code == problem.code;
        })) << problem.code;
}

constexpr std::string_view small = R"({
    "name": "My Flow!", "settings": {"timezone": "Europe/Berlin"},
    "nodes": [
        {"name": "Chat", "type": "@n8n/n8n-nodes-langchain.chatTrigger", "typeVersion": 1, "position": [0, 10],
         "parameters": {}},
        {"name": "Big?", "type": "n8n-nodes-base.if", "typeVersion": 2, "position": [200, 10], "parameters": {
            "conditions": {"combinator": "and", "options": {"caseSensitive": true}, "conditions": [
                {"leftValue": "={{ $json.chatInput }}", "rightValue": "big",
                 "operator": {"type": "string", "operation": "contains"}}]}}},
        {"name": "Edit", "type": "n8n-nodes-base.set", "typeVersion": 3.4, "position": [400, 10], "disabled": true,
         "notes": "mine", "parameters": {"includeOtherFields": true, "assignments": {"assignments": [
            {"name": "who.name", "type": "string", "value": "=Hi {{ $json.chatInput.toUpperCase() }} {{ $('Chat').item.json.sessionId }}"},
            {"name": "bad", "type": "string", "value": "={{ $prevNode.name }}"},
            {"name": "n", "type": "number", "value": "3"}]}}},
        {"name": "Sheet", "type": "n8n-nodes-base.googleSheets", "typeVersion": 4, "position": [600.5, 10],
         "parameters": {"operation": "append", "range": "A:B"}},
        {"name": "AI", "type": "@n8n/n8n-nodes-langchain.agent", "typeVersion": 1.7, "position": [800, 10],
         "onError": "continueErrorOutput", "retryOnFail": true,
         "parameters": {"promptType": "define", "text": "={{ $json.chatInput }}", "options": {"systemMessage": "Be {{ kind }}"}}},
        {"name": "OpenAI", "type": "@n8n/n8n-nodes-langchain.lmChatOpenAi", "position": [800, 200],
         "parameters": {"model": "gpt-4o-mini", "options": {"temperature": 0.5}},
         "credentials": {"openAiApi": {"id": "1", "name": "My OpenAI"}}},
        {"name": "Note", "type": "n8n-nodes-base.stickyNote", "position": [-10, -20],
         "parameters": {"content": "## Read me", "width": 300, "height": 100, "color": 4}}
    ],
    "connections": {
        "Chat": {"main": [[{"node": "Big?", "type": "main", "index": 0}]]},
        "Big?": {"main": [[{"node": "Edit", "type": "main", "index": 0}], [{"node": "AI", "type": "main", "index": 0}]]},
        "Edit": {"main": [[{"node": "Sheet", "type": "main", "index": 0}]]},
        "OpenAI": {"ai_languageModel": [[{"node": "AI", "type": "ai_languageModel", "index": 0}]]}
    },
    "pinData": {"Chat": [{"json": {"chatInput": "hello"}}]}
})";

TEST(n8n_import, keeps_names_places_notes_and_pinned_items) {
    auto const draft = imported(small);
    auto const& document = draft.document;
    EXPECT_EQ(document.at("name"), "my_flow");
    EXPECT_EQ(document.at("description"), "Imported from n8n: My Flow!");
    EXPECT_EQ(node(draft, "Chat").at("position"), json::parse("[0, 10]"));
    EXPECT_EQ(node(draft, "Sheet").at("position"), json::parse("[600.5, 10]"));
    EXPECT_EQ(node(draft, "Edit").at("disabled"), true);
    EXPECT_EQ(node(draft, "Edit").at("notes"), "mine");
    EXPECT_EQ(
        document.at("notes"),
        json::parse(R"([{"id": "note_1", "text": "## Read me", "x": -10, "y": -20, "width": 300,
                         "height": 100, "color": "green"}])")
    );
    EXPECT_EQ(document.at("pinned"), json::parse(R"({"Chat": [{"chatInput": "hello"}]})"));
}

TEST(n8n_import, maps_nodes_with_their_parameters) {
    auto const draft = imported(small);
    EXPECT_EQ(node(draft, "Chat").at("type"), "chat");
    EXPECT_EQ(
        node(draft, "Big?").at("parameters"),
        json::parse(R"({"condition": "{{ $json.?text.orValue(\"\").contains(\"big\") }}"})")
    );
    EXPECT_EQ(
        node(draft, "Edit").at("parameters"),
        json::parse(
            R"({"fields": {"who": {"name": "Hi {{ $json.?text.upper() }} {{ $node[\"Chat\"].json.?conversation }}"},
                        "bad": "={{ $prevNode.name }}", "n": 3}, "keep_others": true})"
        )
    );
    EXPECT_EQ(
        node(draft, "AI").at("parameters"),
        json::parse(R"({"prompt": "{{ $json.?text }}", "system_prompt": "Be {{ \"{{\" }} kind }}"})"
        )
    );
    EXPECT_EQ(node(draft, "AI").at("on_error"), "error_output");
    EXPECT_EQ(node(draft, "AI").at("retry"), json::parse(R"({"tries": 3, "delay": "1000ms"})"));
    EXPECT_EQ(
        node(draft, "OpenAI").at("parameters"),
        json::parse(R"({"credential": "my_openai", "model": "gpt-4o-mini", "temperature": 0.5})")
    );
    EXPECT_EQ(
        draft.document.at("connections"),
        json::parse(
            R"([{"from": "chat", "to": "big"}, {"from": "big", "to": "edit", "output": "true"},
                        {"from": "big", "to": "ai", "output": "false"}, {"from": "edit", "to": "sheet"},
                        {"from": "openai", "to": "ai", "type": "ai_model"}])"
        )
    );
    EXPECT_EQ(draft.counts.common, 5u);
    EXPECT_EQ(draft.counts.common_mapped, 5u);
    EXPECT_EQ(draft.counts.vendor, 1u);
    EXPECT_EQ(draft.counts.vendor_mapped, 0u);
    EXPECT_EQ(draft.counts.expressions, 5u);
    EXPECT_EQ(draft.counts.converted, 4u);
}

TEST(n8n_import, says_what_a_person_should_look_at) {
    auto const draft = imported(small);
    auto const& sheet = node(draft, "Sheet");
    EXPECT_EQ(sheet.at("type"), "set");
    EXPECT_EQ(sheet.at("disabled"), true);
    EXPECT_THAT(
        std::string(sheet.at("notes").as_string()),
        testing::AllOf(HasSubstr("googleSheets, operation append"), HasSubstr("\"range\":\"A:B\""))
    );
    EXPECT_THAT(
        codes(draft),
        IsSupersetOf({"n8n_placeholder", "n8n_expression", "n8n_credential", "n8n_difference"})
    );
    for (auto const& problem : draft.problems)
        if (problem.code == "n8n_expression") {
            EXPECT_EQ(problem.path, "/nodes/2/parameters/fields");
            EXPECT_EQ(problem.node, "Edit");
            EXPECT_EQ(problem.severity, severity::error);
            EXPECT_THAT(
                problem.message, HasSubstr("`$prevNode.name` was not converted: expressions do not")
            );
            EXPECT_THAT(problem.message, HasSubstr("(n8n: Assignments > Assignments 2 > Value)"));
        }
}

TEST(n8n_import, refuses_what_is_no_workflow) {
    for (std::string_view text :
         {"{}",
          "[]",
          "1",
          R"({"nodes": 1})",
          R"({"nodes": [1]})",
          R"({"nodes": [{"name": "A"}]})",
          R"({"nodes": [], "connections": []})"})
        EXPECT_EQ(import_workflow(text, types()).error().code, "not_n8n") << text;
    EXPECT_EQ(import_workflow("{", types()).error().code, "not_json");
    EXPECT_EQ(import_workflow("", types()).error().code, "not_json");
    EXPECT_TRUE(import_workflow(R"({"nodes": []})", types()));
}

// A node of that type with those parameters, which became this one.
json::object only_node(std::string_view type, std::string_view parameters) {
    auto const draft = imported(
        R"({"nodes": [{"name": "A", "typeVersion": 3.4, "type": "x.)" + std::string(type) +
        R"(", "parameters": )" + std::string(parameters) + "}]}"
    );
    return node(draft, "A").at("parameters").as_object();
}

TEST(n8n_import, takes_braces_for_text_without_the_mark_of_an_expression) {
    EXPECT_EQ(
        only_node(
            "httpRequest",
            R"({"method": "POST", "sendBody": true, "url": "https://example.org/{{ 1 }}",
                "jsonBody": "{\"a\": \"{{ $json.b }}\", \"c\": \"=1\"}"})"
        ),
        json::parse(R"({"method": "POST", "url": "https://example.org/{{ \"{{\" }} 1 }}",
                        "body": {"a": "{{ \"{{\" }} $json.b }}", "c": "=1"}})")
    );
    EXPECT_EQ(
        only_node(
            "httpRequest",
            R"({"method": "POST", "sendBody": true, "url": "=https://example.org/{{ 1 }}",
                "jsonBody": "={\"a\": \"{{ $json.b }}\", \"c\": \"=1\", \"d\": {{ 2 }}}"})"
        ),
        json::parse(R"({"method": "POST", "url": "https://example.org/{{ 1 }}",
                        "body": {"a": "{{ $json.?b }}", "c": "=1", "d": "{{ 2 }}"}})")
    );
    auto const schema = only_node(
        "informationExtractor",
        R"({"text": "x", "inputSchema": "{\"type\": \"object\", \"description\": \"as {{ this }}\"}"})"
    );
    EXPECT_EQ(
        schema.at("schema"), json::parse(R"({"type": "object", "description": "as { this }}"})")
    );
}

// The node itself reads them, so that they stand in its template as they are.
TEST(n8n_import, reads_the_braces_of_a_template_of_html) {
    EXPECT_EQ(
        only_node("html", R"({"html": "<b>{{ $json.name }}</b>"})").at("fields"),
        json::parse(R"({"html": "<b>{{ $json.?name }}</b>"})")
    );
}

TEST(n8n_import, gives_every_output_a_name_of_its_own) {
    auto const parameters = only_node(
        "textClassifier",
        R"({"inputText": "x", "categories": {"categories": [
            {"category": "a"}, {"category": "a"}, {"category": "otherwise"},
            {"category": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaü1"},
            {"category": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaü2"}]}})"
    );
    std::vector<std::string> names;
    for (auto const& category : parameters.at("categories").as_array())
        names.emplace_back(category.at("name").as_string());
    std::string const shortened(49, 'a');
    EXPECT_EQ(
        names, (std::vector<std::string>{"a", "a 2", "otherwise 2", shortened, shortened + " 2"})
    );
}

TEST(n8n_import, reads_the_rules_of_an_early_switch) {
    auto const draft = imported(
        R"({"nodes": [{"name": "A", "type": "x.switch", "typeVersion": 1, "parameters": {
            "dataType": "string", "value1": "={{ $json.kind }}", "rules": {"rules": [
            {"operation": "=notEqual", "value2": "a value that is long enough for memory of its own"},
            {"operation": "=contains", "value2": "b", "output": 1}]}}}]})"
    );
    EXPECT_EQ(
        node(draft, "A").at("parameters").at("rules"),
        json::parse(
            R"([{"name": "0", "condition": "{{ $json.?kind != \"a value that is long enough for memory of its own\" }}"},
                {"name": "1", "condition": "{{ $json.?kind.orValue(\"\").contains(\"b\") }}"}])"
        )
    );
}

TEST(n8n_import, bounds_how_deep_fields_are_within_others) {
    EXPECT_EQ(
        only_node(
            "set",
            R"({"assignments": {"assignments": [
                {"name": "a.b.c", "value": 1}, {"name": "a.b.d", "value": 2}]}})"
        )
            .at("fields"),
        json::parse(R"({"a": {"b": {"c": 1, "d": 2}}})")
    );
    std::string name = "a";
    for (int i = 0; i < 100'000; ++i) name += ".a";
    auto const workflow =
        R"({"nodes": [{"name": "A", "type": "x.set", "typeVersion": 3.4, "parameters":
            {"assignments": {"assignments": [{"name": ")" +
        name + R"(", "value": 1}]}}}]})";
    auto const draft = imported(workflow);
    EXPECT_THAT(codes(draft), testing::Contains("n8n_expression"));
    EXPECT_TRUE(std::holds_alternative<definition>(read_definition(draft.document)));
}

TEST(n8n_import, says_which_field_it_does_not_find) {
    for (std::string_view parameters : {R"({})", R"({"fieldToSplitOut": ""})"}) {
        auto const draft = imported(
            R"({"nodes": [{"name": "A", "type": "x.splitOut", "parameters": )" +
            std::string(parameters) + "}]}"
        );
        EXPECT_EQ(node(draft, "A").at("parameters").at("list"), "{{ null }}");
        EXPECT_THAT(codes(draft), testing::Contains("n8n_expression"));
    }
}

std::string chain_of(std::size_t count) {
    json::array nodes{{{"name", "0"}, {"type", "x.chatTrigger"}}};
    json::object connections;
    for (std::size_t i = 1; i < count; ++i) {
        nodes.push_back(
            {{"name", std::to_string(i)},
             {"type", i + 1 == count ? "x.set" : "x.noOp"},
             {"parameters",
              {{"assignments",
                {{"assignments", {{{"name", "a"}, {"value", "={{ $json.chatInput }}"}}}}}}}}}
        );
        connections[std::to_string(i - 1)] = {
            {"main", {{{{"node", std::to_string(i)}, {"type", "main"}}}}}};
    }
    return json::serialize(json::object{{"nodes", nodes}, {"connections", connections}});
}

TEST(n8n_import, follows_connections_however_long_they_are) {
    auto const draft = imported(chain_of(1000));
    EXPECT_EQ(
        node(draft, "999").at("parameters").at("fields"),
        json::parse(R"({"a": "{{ $json.?text }}"})")
    );
}

TEST(n8n_import, refuses_what_is_larger_than_a_flow) {
    auto const chain = chain_of(1001);
    // As n8n's page of templates has it, and as it is exported.
    for (auto const& text : {R"({"workflow": )" + chain + "}", chain}) {
        auto const nodes = import_workflow(text, types());
        ASSERT_FALSE(nodes);
        EXPECT_EQ(nodes.error().code, "too_many_nodes");
        EXPECT_EQ(nodes.error().message, "a flow has at most 1000 nodes");
    }
    json::array const targets(5001, json::object{{"node", "A"}, {"type", "main"}});
    auto const connections = import_workflow(
        json::serialize(json::object{
            {"nodes", {{{"name", "A"}, {"type", "x.noOp"}}}},
            {"connections", {{"A", {{"main", json::array{targets}}}}}}}),
        types()
    );
    ASSERT_FALSE(connections);
    EXPECT_EQ(connections.error().code, "too_many_connections");
    EXPECT_EQ(connections.error().message, "a flow has at most 5000 connections");
}

TEST(n8n_import, bounds_what_all_expressions_cost_together) {
    std::string list = "={{ [1";
    for (int i = 0; i < 1000; ++i) list += ",1";
    list += "] }}";
    json::array assignments;
    for (int i = 0; i < 400; ++i)
        assignments.push_back({{"name", "a" + std::to_string(i)}, {"value", list}});
    auto const draft = imported(json::serialize(json::object{
        {"nodes",
         {{{"name", "A"},
           {"type", "x.set"},
           {"typeVersion", 3.4},
           {"parameters", {{"assignments", {{"assignments", assignments}}}}}}}}}));
    auto const refused = std::ranges::count_if(draft.problems, [](auto const& problem) {
        return problem.message.find("expressions take too long to convert") != std::string::npos;
    });
    EXPECT_GT(refused, 50);
    EXPECT_LE(draft.problems.size(), 110u) << "a list is as long as a person reads";
}

TEST(n8n_import, gives_every_node_a_name_and_an_id_of_its_own) {
    auto const draft = imported(R"({"nodes": [
        {"name": "a b", "type": "x.noOp"}, {"name": "A-B", "type": "x.noOp"}, {"name": "a_b", "type": "x.noOp"},
        {"name": "日本", "type": "x.noOp"}, {"name": "a b", "type": "x.noOp"}]})");
    EXPECT_TRUE(std::holds_alternative<definition>(read_definition(draft.document)));
}

TEST(n8n_import, has_a_type_for_every_mapping_or_a_placeholder) {
    for (auto const* mapping : mappings())
        for (auto const type : mapping->types) {
            auto const text =
                R"({"nodes": [{"name": "A", "type": "x.)" + std::string(type) + R"("}]})";
            auto const draft = imported(text);
            for (auto const& entry : draft.document.at("nodes").as_array())
                EXPECT_TRUE(types().find(entry.at("type").as_string())) << type;
            EXPECT_TRUE(std::holds_alternative<definition>(read_definition(draft.document)))
                << type;
        }
}

// covers: X.25
TEST(n8n_import, takes_the_templates_of_the_collection) {
    for (auto const& path : workflows_in(tests::source("tests/data/n8n"))) check_file(path);
}

} // namespace
} // namespace postrider::agent::flow::n8n::import_test
