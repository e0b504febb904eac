// Where a draft goes another way than the version that ran.
#include "agent/flow/watch/replay_difference.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::flow::replay_difference_test {
namespace {

using testing::HasSubstr;
using tests::compiled;
using tests::flow_builder;

// In → Ask (waits) → Note
std::string greeting(boost::json::object ask, boost::json::object fields) {
    return flow_builder("greeting")
        .trigger("In", "manual")
        .node("Ask", "wait", std::move(ask))
        .node("Note", "set", {{"fields", std::move(fields)}})
        .text();
}

boost::json::object const reply{{"event", "reply"}};
boost::json::object const name{{"name", "Ann"}};

// All nodes made the value.
retraced completed(graph const& flow, int value) {
    retraced run;
    run.seen.nodes.resize(flow.nodes().size());
    for (auto& trace : run.seen.nodes) {
        trace.state = node_state::done;
        trace.output["main"].push_back({boost::json::value(value)});
    }
    run.outcome = queue::outcome::completed();
    return run;
}

struct replay_difference : testing::Test {
    std::optional<flow::replay_difference> compared() const {
        return first_difference({*then, then_run}, {*now, now_run});
    }
    void draft(std::string const& document) {
        now = compiled(document);
        now_run = completed(*now, 1);
    }

    std::shared_ptr<graph const> then = compiled(greeting(reply, name));
    std::shared_ptr<graph const> now = then;
    retraced then_run = completed(*then, 1);
    retraced now_run = completed(*now, 1);
};

TEST_F(replay_difference, is_none_where_all_nodes_make_the_same) {
    EXPECT_FALSE(compared());
    draft(greeting(reply, {{"name", "{{ 'Ann' }}"}}));
    EXPECT_FALSE(compared()) << "what only computes is computed anew";
}

TEST_F(replay_difference, is_at_the_first_node_that_makes_other_items) {
    for (std::size_t const index : {1u, 2u})
        now_run.seen.nodes[index].output["main"].push_back({boost::json::value(2)});

    auto const difference = compared();

    ASSERT_TRUE(difference);
    EXPECT_EQ(difference->reason, difference_reason::output);
    EXPECT_EQ(difference->node->name, "Ask");
    EXPECT_FALSE(difference->fails);
}

TEST_F(replay_difference, is_a_node_that_acts_and_was_changed) {
    draft(greeting({{"event", "paid"}}, name));

    ASSERT_TRUE(compared());
    EXPECT_EQ(compared()->reason, difference_reason::definition);
    EXPECT_EQ(compared()->node->name, "Ask");
}

TEST_F(replay_difference, is_a_step_that_the_record_lacks) {
    now_run.outcome.reset();
    now_run.missing = {"ask/event"};
    now_run.seen.nodes[1].state = node_state::waiting;
    now_run.seen.nodes[2].state = node_state::not_reached;

    ASSERT_TRUE(compared());
    EXPECT_EQ(compared()->reason, difference_reason::asks);
    EXPECT_EQ(compared()->node->name, "Ask");
    EXPECT_THAT(compared()->detail, HasSubstr("ask/event"));
}

TEST_F(replay_difference, tells_a_failure_from_a_change) {
    now_run.seen.nodes[2].state = node_state::failed;
    now_run.seen.nodes[2].failure = base::error(base::errc::invalid, "no such field");
    now_run.outcome = queue::outcome::failed(base::error(base::errc::invalid));

    ASSERT_TRUE(compared());
    EXPECT_TRUE(compared()->fails);
    EXPECT_EQ(compared()->node->name, "Note");
    EXPECT_THAT(compared()->detail, HasSubstr("no such field"));
}

TEST_F(replay_difference, is_a_node_that_is_gone_or_new) {
    draft(flow_builder("greeting").trigger("In", "manual").text());
    ASSERT_TRUE(compared());
    EXPECT_EQ(compared()->reason, difference_reason::state);
    EXPECT_EQ(compared()->node, nullptr);
    EXPECT_THAT(compared()->detail, HasSubstr("Ask ran then"));

    std::swap(then, now);
    std::swap(then_run, now_run);
    ASSERT_TRUE(compared());
    EXPECT_EQ(compared()->reason, difference_reason::state);
    EXPECT_EQ(compared()->node->name, "Ask");
}

} // namespace
} // namespace postrider::agent::flow::replay_difference_test
