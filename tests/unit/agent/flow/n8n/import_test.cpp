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
            {"name": "bad", "type": "string", "value": "={{ $binary.data }}"},
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
                        "bad": "={{ $binary.data }}", "n": 3}, "keep_others": true})"
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
            EXPECT_THAT(problem.message, HasSubstr("`$binary.data` was not converted: files are"));
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

TEST(n8n_import, takes_the_templates_of_the_collection) {
    for (auto const& path : workflows_in(tests::source("tests/data/n8n"))) check_file(path);
}

} // namespace
} // namespace postrider::agent::flow::n8n::import_test
