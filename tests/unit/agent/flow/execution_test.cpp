#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::execution_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;
using testing::SizeIs;

auto const chain =
    flow_builder("chain")
        .trigger("In", "manual")
        .node("Double", "set", {{"fields", {{"n", "{{ $json.n * 2 }}"}}}})
        .node(
            "More",
            "set",
            {{"fields",
              {{"n", R"({{ $json.n + $node["In"].json.n }})"}, {"flow", "{{ $execution.flow }}"}}}}
        )
        .text();

// covers: S3.18
TEST(execution, passes_items_along_and_evaluates_with_what_nodes_made) {
    flow_world w(chain);
    auto const outcome = w.run(json::object{{"n", 5}});
    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_EQ(w.ended(outcome), R"([{"n":15,"flow":"chain"}])");
    EXPECT_THAT(
        w.told,
        ElementsAre(
            "> In",
            "< In",
            "In -> Double",
            "> Double",
            "< Double",
            "Double -> More",
            "> More",
            "< More"
        )
    );
    EXPECT_THAT(w.log, ElementsAre("commit")) << "pure nodes record nothing";
}

// What only $vars decide is evaluated once for each agent.
TEST(execution, sees_the_configuration_of_its_own_agent) {
    flow_world w(
        flow_builder("who")
            .settings({{"variables", {{"greeting", "I am "}}}})
            .trigger("In", "manual")
            .node(
                "Set", "set", {{"fields", {{"says", "{{ $vars.greeting + $vars.agent.persona }}"}}}}
            )
            .text()
    );
    w.agents["ann"] = {{"persona", "Ann"}};
    w.agents["bob"] = {{"persona", "Bob"}};
    auto const said_by = [&w](std::string agent) {
        flow::execution_input input;
        input.flow = "who";
        input.version = 1;
        input.agent = std::move(agent);
        return w.ended(w.run(input));
    };
    for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(said_by("ann"), R"([{"says":"I am Ann"}])");
        EXPECT_EQ(said_by("bob"), R"([{"says":"I am Bob"}])");
    }
}

auto const fork = flow_builder("fork")
                      .trigger("In", "manual")
                      .node("Big?", "if", {{"condition", "{{ $json.n > 10 }}"}})
                      .after("Big?", "true")
                      .node("Yes", "set", {{"fields", {{"way", "yes"}}}})
                      .after("Big?", "false")
                      .node("No", "set", {{"fields", {{"way", "no"}}}})
                      .after("Yes")
                      .node("End", "set", {{"fields", {{"end", true}}}})
                      .connect("No", "End")
                      .text();

TEST(execution, follows_only_the_way_that_items_take) {
    flow_world w(fork);
    EXPECT_EQ(w.ended(w.run(json::object{{"n", 11}})), R"([{"n":11,"way":"yes","end":true}])");
    EXPECT_THAT(w.told, Not(Contains("> No")));
    flow_world small(fork);
    EXPECT_EQ(small.ended(small.run(json::object{{"n", 1}})), R"([{"n":1,"way":"no","end":true}])");
}

// Two agents side by side, and a node where they meet.
auto const side_by_side =
    flow_builder("panel")
        .trigger("In", "manual")
        .agent("A", {{"prompt", "{{ $json.text }} A"}})
        .after("In")
        .agent("B", {{"prompt", "{{ $json.text }} B"}})
        .after("A")
        .node(
            "End",
            "set",
            {{"keep_others", false},
             {"fields", {{"said", "{{ $json.text }}"}, {"all", "{{ $input.size() }}"}}}}
        )
        .connect("B", "End")
        .text();

TEST(execution, runs_branches_and_joins_them_in_the_documents_order) {
    flow_world w(side_by_side);
    w.model.script = {says("one"), says("two")};
    auto const outcome = w.run(json::object{{"text", "Who?"}});
    EXPECT_EQ(w.ended(outcome), R"([{"said":"one","all":2},{"said":"two","all":2}])");
    ASSERT_THAT(w.model.requests, SizeIs(2));
    EXPECT_EQ(w.model.requests[0].messages.back().content, "Who? A");
    EXPECT_EQ(w.record.paid.tokens_in, 20);
    EXPECT_EQ(outcome.output.at("nodes").at("A").at("iterations"), 1);
}

// covers: S3.17 E.09
TEST(execution, resumes_inside_the_graph_wherever_it_dies) {
    for (int commit = 1;; ++commit) {
        flow_world w(flow_builder("steps")
                         .trigger("In", "manual")
                         .agent("Ask")
                         .part("Calculator", "tool.calculator")
                         .node("Wait", "wait", {{"duration", "1h"}})
                         .agent("Again")
                         .node(
                             "Send",
                             "telegram.send",
                             {{"text", "{{ $json.text }}"}, {"bot", "fern"}, {"chat", 9}}
                         )
                         .text());
        w.model.script = {
            calls({{"calculator", {{"expression", "6*7"}}}}), says("It is 42"), says("Sure, 42")};
        bool const died = w.run_and_die(commit, json::object{{"text", "6*7?"}});
        // What stands in the record is not asked for again, and nothing else is left out.
        w.model.script.clear();
        if (!w.record.steps.contains("ask/model"))
            w.model.script.push_back(calls({{"calculator", {{"expression", "6*7"}}}}));
        if (!w.record.steps.contains("ask/model#2")) w.model.script.push_back(says("It is 42"));
        if (!w.record.steps.contains("again/model")) w.model.script.push_back(says("Sure, 42"));
        auto const outcome = died ? w.run() : queue::outcome{};
        ASSERT_FALSE(w.chat.sent.empty()) << commit;
        EXPECT_EQ(w.chat.sent.back().content.text, "Sure, 42") << commit;
        EXPECT_THAT(w.record.effects, SizeIs(1));
        if (!died) {
            EXPECT_GT(commit, 3);
            break;
        }
        EXPECT_EQ(outcome.state, queue::job_state::completed);
        EXPECT_TRUE(w.model.script.empty()) << commit;
    }
}

TEST(execution, of_one_node_runs_it_alone_with_what_is_pinned) {
    flow_world w(chain);
    flow::execution_input input;
    input.flow = "chain";
    input.version = 1;
    input.start = "more";
    input.only = true;
    input.data = json::object{{"n", 1}};
    input.pinned["In"] = json::array{json::object{{"n", 100}}};
    input.pinned["Double"] = json::array{json::object{{"n", 1}}};
    auto const outcome = w.run(input);
    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_THAT(w.told, ElementsAre("> More", "< More"));
    EXPECT_EQ(w.ended(outcome), R"([{"n":101,"flow":"chain"}])");
}

TEST(execution, of_one_node_ends_with_its_items_whatever_follows_it) {
    flow_world w(chain);
    flow::execution_input input;
    input.flow = "chain";
    input.version = 1;
    input.start = "double";
    input.only = true;
    input.pinned["In"] = json::array{json::object{{"n", 4}}};
    auto const outcome = w.run(input);
    EXPECT_THAT(w.told, ElementsAre("> Double", "< Double"));
    EXPECT_EQ(w.ended(outcome), R"([{"n":8}])");
}

flow::execution_input until(std::string node) {
    flow::execution_input input;
    input.flow = "chain";
    input.version = 1;
    input.until = std::move(node);
    return input;
}

// In → First → Here → Behind
//      First → Beside
TEST(execution, until_a_node_runs_what_leads_to_it_and_nothing_behind) {
    flow_world w(flow_builder("chain")
                     .trigger("In", "manual")
                     .node("First", "set", {{"fields", {{"n", 1}}}})
                     .node("Here", "set", {{"fields", {{"n", "{{ $json.n + 1 }}"}}}})
                     .node("Behind", "stop", {{"message", "never"}})
                     .after("First")
                     .node("Beside", "stop", {{"message", "never"}})
                     .text());
    auto input = until("here");

    auto const outcome = w.run(input);

    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    EXPECT_EQ(w.ended(outcome), R"([{"n":2}])");
    EXPECT_THAT(w.told, Not(Contains("> Behind")));
    EXPECT_THAT(w.told, Not(Contains("> Beside")));
}

TEST(execution, until_a_node_in_a_loop_goes_all_rounds_and_not_behind_them) {
    auto const looping = [](std::string node) {
        flow_world w(R"({"format":1,"name":"chain","nodes":[
            {"id":"in","name":"In","type":"manual"},
            {"id":"split","name":"Split","type":"items.split","parameters":{"list":"{{ [1, 2] }}","field":"n"}},
            {"id":"loop","name":"Loop","type":"items.loop"},
            {"id":"here","name":"Here","type":"set","parameters":{"fields":{"n":"{{ $json.n * 10 }}"}}},
            {"id":"next","name":"Next","type":"set","parameters":{"fields":{"next":true}}},
            {"id":"done","name":"Done","type":"set","parameters":{"fields":{"done":true}}}],
            "connections":[{"from":"in","to":"split"},{"from":"split","to":"loop"},
            {"from":"loop","output":"each","to":"here"},{"from":"here","to":"next"},
            {"from":"next","to":"loop","input":"next"},{"from":"loop","output":"done","to":"done"}]})"
        );
        return w.ended(w.run(until(std::move(node))));
    };

    EXPECT_EQ(looping("here"), R"([{"n":10},{"n":20}])");
    EXPECT_EQ(looping("loop"), R"([{"n":10,"next":true},{"n":20,"next":true}])");
    EXPECT_EQ(
        looping("done"), R"([{"n":10,"next":true,"done":true},{"n":20,"next":true,"done":true}])"
    );
}

// A branch within a branch: what stands beside the node that failed begins nothing new.
// covers: S3.17
TEST(execution, that_failed_begins_nothing_new_in_the_branches_beside) {
    flow_world w(flow_builder("nested")
                     .trigger("In", "manual")
                     .node("Other", "set", {{"fields", {{"x", 1}}}})
                     .after("In")
                     .node("Hub", "set", {{"fields", {{"x", 2}}}})
                     .agent("Ask", {{"prompt", "how?"}})
                     .part("Sum", "tool.calculator")
                     .after("Hub")
                     .node("Stop", "stop", {{"message", "no stock"}})
                     .text());
    w.side_by_side = true;
    w.model.script = {calls({{"calculator", {{"expression", "2+2"}}}}), says("four")};
    auto const outcome = w.run();
    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_THAT(outcome.error.detail, testing::HasSubstr("no stock"));
    EXPECT_THAT(w.model.requests, SizeIs(1)) << "its first question was under way";
    EXPECT_THAT(w.log, Not(Contains("step ask/tool:1")));
}

TEST(execution, does_not_run_a_node_whose_items_are_pinned) {
    flow_world w(side_by_side);
    w.model.script = {says("two")};
    flow::execution_input input;
    input.flow = "panel";
    input.version = 1;
    input.data = json::object{{"text", "Who?"}};
    input.pinned["A"] = json::array{json::object{{"text", "pinned"}}};
    auto const outcome = w.run(input);
    EXPECT_EQ(w.ended(outcome), R"([{"said":"pinned","all":2},{"said":"two","all":2}])");
    EXPECT_THAT(w.model.requests, SizeIs(1));
}

TEST(execution, records_the_time_that_expressions_see) {
    flow_world w(flow_builder("now")
                     .trigger("In", "manual")
                     .node("Set", "set", {{"fields", {{"at", "{{ $now }}"}}}})
                     .node("Wait", "wait", {{"event", "go"}})
                     .text());
    w.events["go"] = 1;
    auto const first = w.ended(w.run());
    w.clock.advance(std::chrono::hours{5});
    EXPECT_EQ(w.ended(w.run()), first) << "every run takes the same way";
}

// A chain of so many nodes, and as many side by side.
std::string chain_of(int nodes, bool wide) {
    flow_builder many("many");
    many.trigger("N0", "manual");
    for (int i = 1; i < nodes; ++i) {
        if (wide) many.after("N0");
        many.node("N" + std::to_string(i), "set", {{"fields", {{"n", "{{ $json.n + 1 }}"}}}});
    }
    return many.text();
}

TEST(execution, runs_five_hundred_nodes) {
    flow_world deep(chain_of(500, false));
    EXPECT_EQ(deep.ended(deep.run(json::object{{"n", 0}})), R"([{"n":499}])");
    flow_world wide(chain_of(500, true));
    auto const outcome = wide.run(json::object{{"n", 0}});
    EXPECT_EQ(outcome.output.at("items").as_array().size(), 499u);
}

} // namespace

} // namespace postrider::tests::execution_test
