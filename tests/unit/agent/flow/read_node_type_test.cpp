// The files of node types, and how they are read.
#include "agent/flow/catalog.hpp"
#include "agent/flow/nodes/read_node_type.hpp"
#include "agent/flow/nodes/shared_members.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

namespace postrider::agent::flow::read_node_type_test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;
using testing::HasSubstr;
using testing::IsEmpty;

catalog const& types() {
    static auto const all = builtin_types();
    return all;
}

// The names of the table's lines.
std::set<std::string> table() {
    std::set<std::string> names;
    std::ifstream file("agent/flow/nodes/node_types.def");
    for (std::string line; std::getline(file, line);) {
        auto const open = line.find('(');
        if (line.starts_with("NODE_TYPE"))
            names.insert(line.substr(open + 1, line.find(')') - open - 1));
    }
    return names;
}

std::string failure_of(std::string_view text) {
    try {
        read_node_type(text, pure{});
    } catch (std::logic_error const& broken) {
        return broken.what();
    }
    return {};
}

// A whole one, with some members more.
std::string file_with(std::string_view more) {
    return R"({"name": "scratch", "title": "Scratch", "description": "For a test.")" +
           std::string(more) + "}";
}

TEST(read_node_type, reads_what_a_file_says) {
    auto const type = read_node_type(
        file_with(R"(, "group": "logic", "version": 3, "documentation": ["It does nothing."],
            "inputs": [{"name": "main", "title": "items", "least": 1}],
            "outputs": [{"name": "main", "title": "items", "items": "same"}],
            "parameters": {"properties": {"x": {"type": "string"}}, "required": ["x"]},
            "examples": [{"title": "An x", "parameters": {"x": "y"}}])"),
        pure{}
    );

    EXPECT_EQ(type.name, "scratch");
    EXPECT_EQ(type.version, 3);
    EXPECT_EQ(type.group, group::logic);
    EXPECT_EQ(type.description, "For a test.");
    EXPECT_EQ(type.documentation, "For a test. It does nothing.");
    EXPECT_EQ(type.inputs.at(0).least, 1);
    EXPECT_EQ(type.outputs.at(0).items, "same");
    EXPECT_EQ(type.parameters.at("additionalProperties"), json::value(false));
    EXPECT_EQ(type.examples.at(0).parameters.at("x"), json::value("y"));
}

TEST(read_node_type, refuses_a_broken_file_with_its_place) {
    EXPECT_EQ(failure_of(file_with("")), "");
    EXPECT_THAT(failure_of("{"), HasSubstr("no JSON"));
    EXPECT_THAT(failure_of("{}"), HasSubstr("has no text \"name\""));
    EXPECT_THAT(failure_of(file_with(R"(, "titel": "x")")), HasSubstr("unknown member \"titel\""));
    EXPECT_THAT(failure_of(file_with(R"(, "group": "groups")")), HasSubstr("\"group\""));
    EXPECT_THAT(
        failure_of(file_with(R"(, "outputs": [{"name": "main", "title": "x", "items": 7}])")),
        HasSubstr("a port of scratch has items that are no schema")
    );
    EXPECT_THAT(
        failure_of(file_with(R"(, "inputs": [{"name": "main"}])")), HasSubstr("a port of scratch")
    );
    EXPECT_THAT(
        failure_of(file_with(R"(, "parameters": {"properties": {"x": {"x-shared": "y"}}})")),
        HasSubstr("no shared members y")
    );
}

TEST(shared_members, stand_in_for_their_name_and_give_way_to_what_is_written) {
    auto const whole = with_shared_members(json::parse(
        R"([{"x-shared": "chat", "title": "Whose"}, {"x-shared": "choices.streaming", "description": "When."}])"
    ));

    EXPECT_EQ(whole.at(0).at("title"), "Whose");
    EXPECT_EQ(whole.at(0).at("type"), "integer");
    EXPECT_TRUE(whole.at(1).at("enum").is_array());
    EXPECT_THAT(
        std::string(whole.at(1).at("description").as_string()), testing::StartsWith("When. ")
    );
}

TEST(node_type_files, are_pairs_and_lines_of_the_table) {
    auto const names = table();
    EXPECT_GT(names.size(), 25u);
    for (auto const& name : names)
        for (auto const* kind : {".cpp", ".json"})
            EXPECT_TRUE(fs::exists("agent/flow/nodes/" + name + kind)) << name << kind;
    for (auto const& entry : fs::directory_iterator("agent/flow/nodes")) {
        auto const stem = entry.path().stem().string();
        if (entry.path().extension() == ".json" && stem != "shared") {
            EXPECT_TRUE(names.contains(stem)) << stem << ".json is no line of node_types.def";
        }
    }
}

TEST(node_type_files, have_every_shared_member_in_use) {
    std::ifstream file("agent/flow/nodes/shared.json");
    std::string all;
    for (auto const& entry : fs::directory_iterator("agent/flow/nodes")) {
        if (entry.path().extension() != ".json") continue;
        std::ifstream text(entry.path());
        all.append(std::istreambuf_iterator<char>(text), {});
    }
    std::string const shared(std::istreambuf_iterator<char>(file), {});
    auto const members = json::parse(shared);
    for (auto const& member : members.as_object())
        EXPECT_THAT(all, HasSubstr("\"x-shared\": \"" + std::string(member.key()) + '"'));
}

// Every output that carries items says which.
TEST(node_types, declare_the_items_of_every_output) {
    for (auto const* type : types().all()) {
        auto const& parameters = type->parameters.at("properties").as_object();
        for (auto const& output : type->outputs) {
            SCOPED_TRACE(type->name + " " + output.name);
            EXPECT_EQ(is_part(*type), output.items.is_null());
            auto const* schema = item_schema(output);
            if (!schema) continue;
            EXPECT_TRUE(json_schema::compile(*schema));
            EXPECT_TRUE(
                schema->contains("properties") || schema->contains("x-fields") ||
                schema->contains("description")
            ) << "of any items at least where they come from is said";
            for (auto const* mark : {"x-same", "x-fields"})
                if (auto const* name = schema->if_contains(mark); name && name->is_string()) {
                    EXPECT_TRUE(parameters.contains(name->get_string())) << mark;
                }
            if (auto const* fields = schema->if_contains("properties"))
                for (auto const& [name, field] : fields->as_object()) {
                    EXPECT_TRUE(field.as_object().contains("description")) << name;
                }
        }
    }
}

TEST(node_types, have_examples_that_the_validator_takes) {
    for (auto const* type : types().all()) {
        bool const derived = type->name.starts_with("model.") ||
                             (type->name.starts_with("tool.") && type->examples.empty());
        if (!derived && !type->parameters.at("properties").as_object().empty()) {
            EXPECT_FALSE(type->examples.empty()) << type->name;
        }
        for (auto const& example : type->examples) {
            auto const parameters = json::serialize(example.parameters);
            auto const node = tests::node_text(
                "n", type->name, std::string_view(parameters).substr(1, parameters.size() - 2)
            );
            for (auto const& problem : validate(tests::read_flow(tests::flow_text(node)), types()))
                EXPECT_FALSE(problem.path.starts_with("/nodes/0/parameters/"))
                    << type->name << ", " << example.title << ": " << to_text(problem);
            EXPECT_FALSE(example.title.empty() || example.title.ends_with('.')) << type->name;
        }
    }
}

TEST(node_types, have_parts_for_every_input_of_parts) {
    std::set<std::string> offered{std::string(main_connection)};
    for (auto const* type : types().all())
        for (auto const& output : type->outputs) offered.insert(output.type);
    for (auto const* type : types().all())
        for (auto const& input : type->inputs)
            EXPECT_TRUE(offered.contains(input.type)) << type->name << " " << input.type;
}

TEST(node_types, are_served_with_what_their_files_say) {
    auto const described = to_json(*types().find("telegram.send"));
    EXPECT_EQ(described.at("group"), "action");
    EXPECT_EQ(
        described.at("description"),
        "Sends a message for each item, to the chat that started the execution or to another one."
    );
    auto const& output = described.at("outputs").at(0);
    EXPECT_TRUE(output.at("items").at("properties").as_object().contains("message_id"));
    EXPECT_FALSE(described.at("examples").as_array().empty());
    EXPECT_EQ(to_json(*types().find("if")).at("outputs").at(0).at("items"), "same");
    EXPECT_EQ(
        to_json(*types().find("tool.calculator")).at("description"),
        "Lets an agent calculate exactly: + - * / % ^, parentheses and the usual functions."
    );
}

} // namespace
} // namespace postrider::agent::flow::read_node_type_test
