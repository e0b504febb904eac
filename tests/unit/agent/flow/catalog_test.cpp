#include "agent/flow/catalog.hpp"
#include "agent/flow/parameters.hpp"
#include "agent/flow/validate/references.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace postrider::agent::flow::catalog_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

class every_type : public testing::TestWithParam<std::string> {
protected:
    node_type const& type() const { return *types().find(GetParam()); }
    static catalog const& types() {
        static catalog const all = builtin_types();
        return all;
    }
};

bool sentence(json::value const& text) {
    auto const& words = text.get_string();
    return !words.empty() && words.back() == '.';
}

TEST_P(every_type, says_what_it_is) {
    EXPECT_FALSE(type().title.empty());
    EXPECT_LE(type().title.size(), 30u);
    EXPECT_GE(type().documentation.size(), 30u);
    EXPECT_TRUE(type().documentation.ends_with('.'));
    for (auto const& input : type().inputs) EXPECT_FALSE(input.title.empty()) << input.name;
    for (auto const& output : type().outputs) EXPECT_FALSE(output.title.empty()) << output.name;
}

// What $json. and $node["X"]. may name behind the node.
TEST_P(every_type, declares_the_items_of_each_output) {
    if (is_part(type())) return;
    for (auto const& output : type().outputs) {
        auto const* schema = item_schema(output);
        EXPECT_TRUE(schema || has_same_items(output)) << output.name;
        if (!schema) continue;
        EXPECT_TRUE(
            schema->contains("properties") || schema->contains("x-same") ||
            schema->contains("x-fields") || schema->contains("description")
        ) << output.name;
    }
}

TEST_P(every_type, explains_its_parameters) {
    static std::set<std::string_view> const formats{
        "duration",
        "instant",
        "cron",
        "timezone",
        "path",
        "json_schema",
        "spam_rules",
        "expression"};
    EXPECT_EQ(type().parameters.at("type"), "object");
    EXPECT_EQ(type().parameters.at("additionalProperties"), false);
    for (auto const& [name, value] : type().parameters.at("properties").get_object()) {
        auto const& property = value.get_object();
        EXPECT_TRUE(property.contains("title")) << name;
        EXPECT_TRUE(property.contains("description") && sentence(property.at("description")))
            << name;
        described const parameter{property, value, ""};
        if (auto format = parameter.mark("x-format"); !format.empty()) {
            EXPECT_TRUE(formats.contains(format)) << name;
        }
        if (auto reference = parameter.mark("x-reference"); !reference.empty()) {
            EXPECT_TRUE(find_reference(reference)) << name;
        }
        if (property.contains("x-secret")) {
            EXPECT_TRUE(property.contains("x-reference")) << name << " could hold a value";
        }
    }
}

TEST_P(every_type, takes_its_own_defaults) {
    auto const& schema = type().parameters;
    std::set<std::string_view> required;
    if (auto const* names = schema.if_contains("required"))
        for (auto const& name : names->get_array()) required.insert(name.get_string());
    for (auto const& [name, property] : schema.at("properties").get_object()) {
        auto const* fallback = property.get_object().if_contains("default");
        EXPECT_FALSE(fallback && required.contains(name)) << name << " never needs its default";
        if (!fallback) continue;
        auto const compiled = agent::json_schema::compile(property);
        ASSERT_TRUE(compiled) << name;
        EXPECT_TRUE(compiled->check(*fallback).empty()) << name;
        EXPECT_EQ(
            format_violation(
                described{property.get_object(), *fallback, ""}.mark("x-format"), *fallback
            ),
            ""
        ) << name;
    }
}

TEST_P(every_type, has_the_ports_of_its_kind) {
    auto const all_main = [](std::vector<port> const& ports) {
        return std::ranges::all_of(ports, [](port const& entry) {
            return entry.type == main_connection;
        });
    };
    if (is_trigger(type())) {
        EXPECT_TRUE(type().inputs.empty());
        EXPECT_FALSE(type().outputs.empty());
        EXPECT_EQ(type().group, group::trigger);
    }
    if (is_part(type())) {
        ASSERT_EQ(type().outputs.size(), 1u);
        auto const& output = type().outputs[0];
        ASSERT_NE(output.type, main_connection);
        EXPECT_EQ(output.name, output.type) << "a connection need not name it";
        EXPECT_EQ("ai_" + std::string(group_of(type())), output.type);
    } else {
        EXPECT_TRUE(all_main(type().outputs));
    }
}

TEST_P(every_type, is_told_whole_in_json) {
    auto const told = to_json(type());
    EXPECT_EQ(told.at("name"), json::value(GetParam()));
    EXPECT_EQ(told.at("parameters"), json::value(type().parameters));
    EXPECT_EQ(told.at("outputs").get_array().size(), type().outputs.size());
}

std::vector<std::string> names() {
    auto const types = builtin_types();
    std::vector<std::string> all;
    for (auto const* type : types.all()) all.push_back(type->name);
    return all;
}

INSTANTIATE_TEST_SUITE_P(builtin, every_type, testing::ValuesIn(names()), [](auto const& of) {
    auto name = of.param;
    std::ranges::replace(name, '.', '_');
    return name;
});

node_type made_up(std::string name, int version) {
    return {
        .name = std::move(name),
        .version = version,
        .title = "Made up",
        .documentation = "For this test.",
        .parameters = {{"type", "object"}, {"properties", json::object()}},
    };
}

// Files of the program that hold a text, beside those that describe nodes.
std::vector<std::string> files_with(re2::RE2 const& text) {
    namespace fs = std::filesystem;
    std::vector<std::string> found;
    for (auto const* room : {"agent", "server"})
        for (auto const& entry : fs::recursive_directory_iterator(room)) {
            auto const path = entry.path().generic_string();
            auto const kind = entry.path().extension();
            if (kind != ".cpp" && kind != ".hpp") continue;
            if (path.starts_with("agent/flow/nodes/")) continue;
            if (path.starts_with("agent/flow/n8n/")) continue; // it names its targets
            std::ifstream file(path);
            for (std::string line; std::getline(file, line);)
                if (re2::RE2::PartialMatch(line.substr(0, line.find("//")), text))
                    found.push_back(path);
        }
    return found;
}

TEST(catalog, is_the_only_place_that_knows_triggers_by_name) {
    auto const types = builtin_types();
    for (auto const* type : types.all()) {
        if (!is_trigger(*type)) continue;
        // "chat" and "webhook" are names of members too, and of commands; "schedule" is that of a tool, and
        // "form" and "feed" those of elements.
        static std::set<std::string> const names_of_others{
            "chat", "feed", "form", "schedule", "webhook"};
        bool const shared = names_of_others.contains(type->name);
        auto const literal = fmt::format("\"{}\"", type->name);
        auto const pattern = shared ? fmt::format("[=!]= *{0}|{0} *[=!]=", literal) : literal;
        EXPECT_THAT(files_with(pattern), testing::IsEmpty()) << type->name;
    }
    EXPECT_FALSE(files_with("flow_definition|node_type").empty()) << "it looks at none";
}

TEST(catalog, finds_versions) {
    catalog types;
    types.add(made_up("a", 2));
    types.add(made_up("a", 1));
    EXPECT_EQ(types.find("a")->version, 2);
    EXPECT_EQ(types.find("a", 1)->version, 1);
    EXPECT_EQ(types.find("a", 3), nullptr);
    EXPECT_EQ(types.find("b"), nullptr);
    EXPECT_EQ(types.all().size(), 2u);
    EXPECT_THROW(types.add(made_up("a", 2)), std::logic_error);
}

TEST(catalog, refuses_a_schema_that_is_none) {
    catalog types;
    auto type = made_up("a", 1);
    type.parameters["properties"] = 7;
    EXPECT_THROW(types.add(std::move(type)), std::logic_error);
}

TEST(catalog, knows_the_agents_bounds) {
    auto const types = builtin_types();
    auto const& agent = *types.find("agent");
    auto const fits = [&](json::object parameters) {
        return types.schema_of(agent).check(std::move(parameters)).empty();
    };
    for (auto most : {1, 50}) EXPECT_TRUE(fits({{"max_iterations", most}})) << most;
    for (auto most : {0, 51}) EXPECT_FALSE(fits({{"max_iterations", most}})) << most;
    for (auto choice : {"auto", "required", "none"})
        EXPECT_TRUE(fits({{"tool_choice", choice}})) << choice;
    EXPECT_FALSE(fits({{"tool_choice", "some"}}));
    EXPECT_FALSE(fits({{"output_format", "json_schema"}})) << "without the schema";
    EXPECT_TRUE(fits({{"output_format", "json_schema"}, {"schema", json::object()}}));
}

TEST(outputs, of_a_switch_are_its_rules_and_otherwise) {
    auto const types = builtin_types();
    node switch_node;
    switch_node.parameters = {
        {"rules", json::array{json::object{{"name", "big"}}, 7, json::object()}}};
    switch_node.on_error = error_strategy::error_output;
    std::vector<std::string> found;
    for (auto const& output : outputs_of(*types.find("switch"), switch_node))
        found.push_back(output.name);
    EXPECT_THAT(found, ElementsAre("big", "otherwise", "error"));
}

TEST(catalog, has_ports_for_the_types_of_connections_that_the_format_publishes) {
    std::set<std::string_view> known;
    auto const types = builtin_types();
    for (auto const* type : types.all())
        for (auto const* ports : {&type->inputs, &type->outputs})
            for (auto const& port : *ports) known.insert(port.type);
    std::set<std::string_view> published;
    auto const& connection = definition_schema().at("$defs").at("connection");
    for (auto const& word : connection.at("properties").at("type").at("examples").as_array())
        published.insert(word.as_string());
    EXPECT_EQ(published, known);
}

} // namespace
} // namespace postrider::agent::flow::catalog_test
