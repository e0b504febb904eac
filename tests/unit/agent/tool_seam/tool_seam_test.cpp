// What follows from a line in the table of tools: a node type with the tool's settings, a tool that
// models are offered and call, its risk, and the document that tells people so.
#include "agent/flow/parts/offered_tools.hpp"
#include "agent/loop/untrusted_text.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"
#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace postrider::tests::tool_seam_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

auto const greeting =
    flow_builder("greeting")
        .trigger("In", "manual")
        .agent("Ask")
        .part("Greet", "tool.greet", {{"name", "welcome"}, {"greeting", "Good day"}})
        .text();

// covers: S3.11
TEST(tool_seam, a_tool_has_a_node_type_with_its_settings) {
    auto const types = flow::builtin_types();

    auto const* type = types.find("tool.greet");
    ASSERT_TRUE(type);
    EXPECT_EQ(type->title, "Greeting");
    EXPECT_EQ(type->documentation, "Greets people by name.");
    auto const& parameters = type->parameters.at("properties").as_object();
    EXPECT_EQ(parameters.at("name").at("default"), "greet");
    EXPECT_EQ(parameters.at("greeting").at("default"), "Hello");
}

// covers: S3.11 S3.15
TEST(tool_seam, models_call_it_by_the_name_of_its_node) {
    flow_world w(greeting);
    w.model.script = {calls({{"welcome", {{"name", "Ann"}}}}), says("Done")};

    w.run(json::object{{"text", "This is Ann"}});

    ASSERT_THAT(w.model.requests, SizeIs(2));
    EXPECT_EQ(w.model.requests[0].tools.at(0).name, "welcome");
    EXPECT_EQ(w.model.requests[1].messages.back().content, "Good day, Ann");
    EXPECT_EQ(w.record.steps.at("ask/tool:1").value(), "Good day, Ann");
}

// Its result is committed as before tools were told apart: with the round, and by itself.
TEST(tool_seam, a_tool_that_only_reads_costs_no_further_commit) {
    flow_world w(greeting);
    w.model.script = {calls({{"welcome", {{"name", "Ann"}}}}), says("Done")};

    w.run(json::object{{"text", "This is Ann"}});

    EXPECT_THAT(
        w.log,
        ElementsAre(
            "step ask/model", "commit", "step ask/tool:1", "commit", "step ask/model#2", "commit"
        )
    );
    EXPECT_THAT(w.record.effects, testing::IsEmpty());
}

TEST(tool_seam, arguments_that_do_not_fit_never_reach_it) {
    flow_world w(greeting);
    w.model.script = {calls({{"welcome", {{"name", 7}}}}), says("Done")};

    w.run(json::object{{"text", "This is 7"}});

    auto const& told = w.model.requests.at(1).messages.back();
    EXPECT_TRUE(told.is_error);
    EXPECT_THAT(told.content, HasSubstr("/name must be a string, not a number"));
}

TEST(tool_seam, a_tools_own_word_marks_its_results_as_others_text) {
    EXPECT_TRUE(flow::offer(*agent::find_tool("forecast")).returns_untrusted);
    EXPECT_FALSE(flow::offer(*agent::find_tool("greet")).returns_untrusted);
    flow_world w(flow_builder("asking")
                     .trigger("In", "manual")
                     .agent("Ask")
                     .part("Forecast", "tool.forecast")
                     .text());
    w.tools["forecast"] =
        server::from_file("[tools.forecast]\napi_key = 'k'\n").values.tools.at("forecast");
    w.model.script = {calls({{"forecast", {}}}), says("Done")};

    w.run(json::object{{"text", "Will it rain?"}});

    EXPECT_EQ(
        w.model.requests.at(1).messages.back().content,
        agent::mark_untrusted("https://rain.example tells of 3 days to k", "forecast")
    );
}

TEST(tool_seam, its_settings_may_differ_by_item) {
    flow_world w(flow_builder("greeting")
                     .trigger("In", "manual")
                     .agent("Ask", {{"prompt", "{{ $json.text }}"}})
                     .part("Greet", "tool.greet", {{"greeting", "{{ $json.greeting }}"}})
                     .text());
    flow::execution_input input;
    input.flow = "greeting";
    input.version = 1;
    input.pinned["In"] = json::array{
        {{"text", "This is Ann"}, {"greeting", "Good day"}},
        {{"text", "This is Bob"}, {"greeting", "Hi"}}};
    w.model.script = {
        calls({{"greet", {{"name", "Ann"}}}}),
        says("Done"),
        calls({{"greet", {{"name", "Bob"}}}}),
        says("Done")};

    w.run(input);

    ASSERT_THAT(w.model.requests, SizeIs(4));
    EXPECT_EQ(w.model.requests[1].messages.back().content, "Good day, Ann");
    EXPECT_EQ(w.model.requests[3].messages.back().content, "Hi, Bob");
}

TEST(tool_seam, its_risk_may_depend_on_settings_and_arguments) {
    auto const tool = flow::offer(*agent::find_tool("act"), "", {{"most", 10}});

    EXPECT_EQ(tool.risk(tool.settings, {{"amount", 10}}), agent::risk::medium);
    EXPECT_EQ(tool.risk(tool.settings, {{"amount", 11}}), agent::risk::high);
    EXPECT_EQ(agent::find_tool("greet")->risk({}, {}), agent::risk::low);
}

std::string text_of(char const* path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// The example of the document is the file that this test is made of.
TEST(tool_seam, the_documents_example_compiles) {
    auto const document = text_of("docs/tools.md");
    auto const example = text_of("tests/unit/agent/tool_seam/greet.cpp");

    ASSERT_FALSE(example.empty());
    EXPECT_THAT(document, HasSubstr("```cpp\n" + example + "```"));

    auto const settings = text_of("tests/unit/agent/tool_seam/forecast.cpp");
    auto const begin = settings.find("constexpr std::array configuration");
    auto const end = settings.find("\n}\n", begin) + 3;
    EXPECT_THAT(document, HasSubstr("```cpp\n" + settings.substr(begin, end - begin) + "```"));
}

} // namespace
} // namespace postrider::tests::tool_seam_test
