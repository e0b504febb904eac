// What $node["…"] gives in the parameters of another node: the same at every run.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::node_names_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::Not;

// An `if` asks for a node that runs beside it.
auto const beside = flow_builder("beside")
                        .trigger("In", "manual")
                        .agent("Ask")
                        .after("In")
                        .node("Over?", "if", {{"condition", "{{ has($node['Ask'].json) }}"}})
                        .after("Over?", "true")
                        .node("Yes", "set", {{"fields", {{"way", "yes"}}}})
                        .after("Over?", "false")
                        .node("No", "set", {{"fields", {{"way", "no"}}}})
                        .text();

TEST(node_names, a_node_that_runs_beside_another_is_not_there_for_it_even_when_it_is_over) {
    flow_world w(beside);
    w.side_by_side = true; // the model has not answered when the `if` is evaluated
    w.model.script = {says("Hello")};
    w.run(json::object{{"text", "Hi"}});
    ASSERT_THAT(w.told, Contains("> No"));

    w.side_by_side = false; // its answer is served before
    w.run();

    EXPECT_THAT(w.told, Contains("> No")) << "both runs take the same way";
    EXPECT_THAT(w.told, Not(Contains("> Yes")));
}

// A model that hangs on two agents, of which one leads to the other.
TEST(node_names, of_a_part_are_those_of_the_node_that_it_is_made_for) {
    flow_world w(flow_builder("shared")
                     .trigger("In", "manual")
                     .node("Aside", "set", {{"fields", {{"x", 1}}}})
                     .after("In")
                     .node("First", "agent")
                     .part(
                         "Model",
                         "model",
                         {{"model",
                           "{{ has($node['Aside'].json) ? 'aside' : has($node['First'].json) ? "
                           "'later' : 'earlier' }}"}}
                     )
                     .node("Second", "agent")
                     .connect("Model", "Second")
                     .text());
    std::vector<std::string> selected;
    w.adjust = [&](flow::node_services& services) {
        services.model = [&](flow::model_selection const& selection) {
            selected.push_back(selection.credential);
            flow::model_part part;
            part.model = &w.model;
            return base::result<flow::model_part>(std::move(part));
        };
    };
    w.model.script = {says("one"), says("two")};

    w.run(json::object{{"text", "Hi"}});

    EXPECT_THAT(selected, ElementsAre("earlier", "later"));
}

TEST(node_names, reach_back_over_every_way_that_leads_to_the_node) {
    flow_world w(flow_builder("back")
                     .trigger("In", "manual")
                     .node("A", "set", {{"fields", {{"a", 1}}}, {"keep_others", false}})
                     .after("In")
                     .node("B", "set", {{"fields", {{"b", 2}}}, {"keep_others", false}})
                     .node("C", "set", {{"fields", {{"c", 3}}}, {"keep_others", false}})
                     .after("A")
                     .node(
                         "End",
                         "set",
                         {{"keep_others", false},
                          {"fields",
                           {{"sum",
                             "{{ $node['In'].json.n + $node['A'].json.a + $node['B'].json.b + "
                             "$node['C'].json.c }}"}}}}
                     )
                     .connect("C", "End")
                     .text());
    EXPECT_EQ(w.ended(w.run(json::object{{"n", 10}})), R"([{"sum":16},{"sum":16}])");
}

// Of an `if` the items that hold come first, whatever the alphabet says of its outputs.
auto const two_ways =
    flow_builder("ways")
        .trigger("In", "manual")
        .node("If", "if", {{"condition", "{{ $json.n == 1 }}"}})
        .after("If", "true")
        .node(
            "Switch",
            "switch",
            {{"rules",
              json::parse(
                  R"([{"name": "z", "condition": "{{ $json.n == 2 }}"}, {"name": "b", "condition": "{{ $json.n == 3 }}"}])"
              )}}
        )
        .connect("If", "Switch", "false")
        .after("Switch", "z")
        .node(
            "Out",
            "set",
            {{"keep_others", false},
             {"fields",
              {{"if", "{{ $node['If'].json.n }}"},
               {"all", "{{ $node['If'].items.map(i, i.n) }}"},
               {"switch", "{{ $node['Switch'].json.n }}"},
               {"rest", "{{ $node['Switch'].items.map(i, i.n) }}"}}}}
        )
        .text();

TEST(node_names, give_the_items_of_all_outputs_in_the_order_of_these) {
    flow_world w(two_ways);
    flow::execution_input input;
    input.flow = "ways";
    input.version = 1;
    input.pinned["In"] = json::array{
        json::object{{"n", 4}},
        json::object{{"n", 3}},
        json::object{{"n", 2}},
        json::object{{"n", 1}}};
    EXPECT_EQ(w.ended(w.run(input)), R"([{"if":1,"all":[1,4,3,2],"switch":2,"rest":[2,3,1,4]}])");
}

} // namespace

} // namespace postrider::tests::node_names_test
