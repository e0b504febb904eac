// An agent's rounds in a process that dies: what stands of them, and what a later run makes of it.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

namespace postrider::tests::interrupted_rounds_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::SizeIs;

// An agent with a session, a calculator, and a flow of medium risk.
std::string guide(int most_calls = 5) {
    return flow_builder("guide")
        .trigger("In", "manual")
        .agent("Guide", {{"max_tool_calls", most_calls}})
        .part("Memory", "memory.window", {{"session_id", "diary"}})
        .part("Calculator", "tool.calculator")
        .part(
            "Look",
            "tool.flow",
            {{"name", "look"}, {"description", "Looks."}, {"flow", "looker"}, {"risk", "medium"}}
        )
        .text();
}

auto const looker = flow_builder("looker")
                        .trigger("In", "manual")
                        .node("See", "set", {{"fields", {{"text", "seen"}}}})
                        .text();

json::object sum(std::string expression) {
    return {{"expression", std::move(expression)}};
}

struct interrupted_rounds : testing::Test {
    interrupted_rounds() { w.others["looker"] = compiled(looker); }

    std::vector<std::string> kept() const {
        std::vector<std::string> texts;
        for (auto const& row : w.table.sessions)
            texts.push_back(fmt::format(
                "{}: {}",
                std::string_view(row.at("role").as_string()),
                std::string_view(row.at("content").as_string())
            ));
        return texts;
    }

    flow_world w{guide()};
};

// A step is recorded with the message that comes of it, whoever's commit takes it along.
// covers: E.09
TEST(interrupted_session, has_every_message_wherever_the_process_dies) {
    bool died = true;
    for (int commit = 1; died; ++commit) {
        flow_world w(guide());
        w.held_stands = true;
        w.model.script = {
            calls({{"calculator", sum("6*7")}}), says("It is 42."), says("It is 42."), says("No.")};
        died = w.run_and_die(commit, json::object{{"text", "What is 6*7?"}});
        if (died) w.run();
        // The table keeps the first row of a place.
        std::map<std::int64_t, std::string> roles;
        for (auto const& row : w.table.sessions)
            roles.emplace(row.at("position").as_int64(), row.at("role").as_string());
        EXPECT_THAT(
            roles,
            ElementsAre(
                Pair(_, "user"), Pair(_, "assistant"), Pair(_, "tool"), Pair(_, "assistant")
            )
        ) << commit;
    }
}

// Nothing outside begins between the reply and what instant tools make of it.
// covers: E.08
TEST_F(interrupted_rounds, record_instant_tools_with_the_reply_that_calls_them) {
    w.model.script = {
        calls({{"calculator", sum("6*7")}, {"calculator", sum("6*8")}}),
        calls({{"calculator", sum("1+1")}, {"look", json::object{}}}),
        says("42 and 48")};

    w.run(json::object{{"text", "What are 6*7 and 6*8?"}});

    auto const end = std::ranges::find(w.log, "step guide/model#3");
    EXPECT_THAT(
        std::vector(w.log.begin(), end),
        ElementsAre(
            HasSubstr("guide/recall-seen"),
            "step guide/model",
            "value guide/tool:1",
            "value guide/tool:2",
            "commit",
            "step guide/model#2",
            "commit",
            "value guide/tool:3",
            "commit",
            HasSubstr("guide/tool:4/"),
            "value guide/tool:4",
            "commit"
        )
    );
}

// covers: S1.02
TEST_F(interrupted_rounds, report_for_each_item_the_tools_of_that_item) {
    flow::execution_input input;
    input.flow = "guide";
    input.version = 1;
    input.pinned["In"] = json::array{{{"text", "Hello"}}, {{"text", "Look"}}};
    w.model.script = {says("Hi."), calls({{"look", json::object{}}}), says("Done.")};

    auto const ended = w.run(input);

    auto const& answers = ended.output.at("items").as_array();
    ASSERT_THAT(answers, SizeIs(2));
    EXPECT_EQ(answers[0].at("text"), "Hi.");
    EXPECT_EQ(answers[1].at("text"), "Done.\n\nUsed for this: look");
    EXPECT_THAT(kept().back(), HasSubstr("Used for this: look"));
}

TEST_F(interrupted_rounds, keep_the_limit_of_calls_that_they_began_with) {
    json::value const question = json::object{{"text", "What are 6*7 and 6*8?"}};
    for (int const later : {1, 5}) {
        std::optional<flow_world> world;
        for (int commit = 1; !world || !world->record.steps.contains("guide/model#2"); ++commit) {
            world.emplace(guide(later == 1 ? 5 : 1));
            world->held_stands = true;
            world->model.script = {
                calls({{"calculator", sum("6*7")}, {"calculator", sum("6*8")}}), says("42 and 48")};
            ASSERT_TRUE(world->run_and_die(commit, question)) << later;
        }
        world->graph = compiled(guide(later));

        auto const ended = world->run();

        EXPECT_EQ(ended.state, queue::job_state::completed) << ended.error.detail;
        EXPECT_EQ(world->record.steps.contains("guide/tool:2"), later == 1);
    }
}

} // namespace

} // namespace postrider::tests::interrupted_rounds_test
