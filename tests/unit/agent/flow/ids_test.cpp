// Ids of a flow: a replay of the execution gives them again, and another execution others.
#include "agent/loop/untrusted_text.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::ids_test {

namespace {

namespace json = boost::json;

auto const flow_with_ids =
    flow_builder("ids")
        .trigger("In", "manual")
        .node("A", "set", {{"fields", {{"a", "{{ uuid() }}"}}}})
        .node("B", "set", {{"fields", {{"a", "{{ $json.a }}"}, {"b", "{{ uuid() }}"}}}})
        .text();

// covers: S3.18
TEST(ids, are_those_of_the_first_run_when_an_execution_is_replayed) {
    flow_world w(flow_with_ids);
    auto const first = w.ended(w.run());
    w.clock.advance(std::chrono::hours(1));
    EXPECT_EQ(w.ended(w.run()), first);
    auto const item = json::parse(first).at(0);
    EXPECT_NE(item.at("a"), item.at("b"));
}

TEST(ids, are_others_in_another_execution) {
    flow_world execution(flow_with_ids);
    flow_world other(flow_with_ids);
    other.job.id = job_id{101};
    EXPECT_NE(execution.ended(execution.run()), other.ended(other.run()));
}

TEST(ids, are_others_in_each_call_of_a_flow) {
    flow_world w(flow_builder("outer")
                     .trigger("In", "manual")
                     .node("First", "call_flow", {{"flow", "ids"}})
                     .node("Second", "call_flow", {{"flow", "ids"}})
                     .node(
                         "Both",
                         "set",
                         {{"fields",
                           {{"first", "{{ $node['First'].json.a }}"}, {"second", "{{ $json.a }}"}}}}
                     )
                     .text());
    w.others["ids"] = compiled(flow_with_ids);
    auto const item = json::parse(w.ended(w.run())).at(0);
    EXPECT_NE(item.at("first"), item.at("second"));
}

TEST(ids, are_others_in_each_call_of_a_tool_with_the_same_arguments) {
    flow_world w(flow_builder("guide")
                     .trigger("In", "manual")
                     .agent("Guide")
                     .part(
                         "Order",
                         "tool.flow",
                         {{"name", "order"},
                          {"description", "Orders."},
                          {"flow", "shop"},
                          {"input",
                           {{"what", "{{ $from_ai('what', 'what') }}"}, {"key", "{{ uuid() }}"}}}}
                     )
                     .text());
    w.others["shop"] = compiled(flow_builder("shop")
                                    .trigger("In", "manual")
                                    .node("Out", "set", {{"fields", {{"text", "{{ $json.key }}"}}}})
                                    .text());
    w.model.script = {
        calls({{"order", {{"what", "tea"}}}, {"order", {{"what", "tea"}}}}), says("Two cups")};
    w.run(json::object{{"text", "Tea for two"}});
    auto const& messages = w.model.requests.at(1).messages;
    ASSERT_GE(messages.size(), 2u);
    auto const first = messages[messages.size() - 2].content;
    EXPECT_EQ(first.size(), agent::mark_untrusted(std::string(36, 'x'), "order").size());
    EXPECT_NE(first, messages.back().content);
}

} // namespace

} // namespace postrider::tests::ids_test
