// Bounds that are met in several places are one value: what a node takes, what a step allows, what a
// request waits for. tests/unit/server/start has the settings'.
#include "agent/describe/bounds.hpp"
#include "agent/flow/catalog.hpp"
#include "agent/flow/run/model_call.hpp"
#include "agent/loop/window.hpp"
#include "agent/models/options.hpp"
#include "agent/models/provider.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::bounds_test {
namespace {

boost::json::object parameter(flow::catalog const& types, std::string_view type, char const* name) {
    return types.find(type)->parameters.at("properties").at(name).as_object();
}

void expect_bound(boost::json::object const& schema, bounds::range<int> const& bound) {
    EXPECT_EQ(schema.at("minimum"), bound.least);
    EXPECT_EQ(schema.at("maximum"), bound.most);
    EXPECT_EQ(schema.at("default"), bound.usual);
}

TEST(bounds, are_those_of_the_nodes) {
    auto const types = flow::builtin_types();

    expect_bound(parameter(types, "memory.window", "max_messages"), bounds::window);
    expect_bound(parameter(types, "memory.buffer", "max_tokens"), bounds::history_tokens);
    expect_bound(parameter(types, "memory.conversation", "max_tokens"), bounds::history_tokens);
    expect_bound(parameter(types, "agent", "max_tool_calls"), bounds::tool_calls);
    expect_bound(parameter(types, "agent", "max_iterations"), bounds::iterations);
    expect_bound(parameter(types, "agent", "max_repeats"), bounds::repeats);
    for (auto type : {"model", "model.anthropic", "model.openai", "model.compatible"})
        expect_bound(parameter(types, type, "max_tokens"), bounds::answer_tokens);
}

TEST(bounds, of_a_persons_patience_are_those_of_every_question) {
    auto const types = flow::builtin_types();

    for (auto type : {"tool.ask_user", "telegram.ask"})
        EXPECT_EQ(
            std::string(parameter(types, type, "timeout").at("default").as_string()),
            base::to_text(bounds::question_patience)
        ) << type;
}

TEST(bounds, of_a_temperature_hold_for_every_model) {
    auto const types = flow::builtin_types();
    auto const of_any = parameter(types, "model", "temperature");

    EXPECT_EQ(of_any.at("minimum"), bounds::least_temperature);
    EXPECT_EQ(of_any.at("maximum"), bounds::most_temperature);
    for (auto const* from : providers()) {
        EXPECT_LE(from->most_temperature, bounds::most_temperature) << from->name;
        if (from->is_built_in()) continue;
        auto const own = parameter(types, "model." + std::string(from->name), "temperature");
        EXPECT_EQ(own.at("minimum"), bounds::least_temperature) << from->name;
        EXPECT_EQ(own.at("maximum"), from->most_temperature) << from->name;
    }
}

// A first read brings what an agent without a setting of its own sees.
TEST(bounds, of_the_history_are_those_of_its_first_read) {
    tests::flow_world world(tests::flow_builder("greeting").trigger("In", "manual").text());

    world.run();

    EXPECT_EQ(world.table.newest, bounds::history.usual + bounds::history_slack.usual);
}

// What fails is the request, so that its failure is reported, and not the step that waits for it.
TEST(bounds, leave_a_step_longer_than_its_request) {
    for (auto timeout :
         {bounds::model_timeout.least, model_options{}.timeout, bounds::model_timeout.most}) {
        auto const policy = flow::asking_policy(timeout);
        EXPECT_GT(policy.timeout, timeout);
        EXPECT_GE(*policy.total, 2 * timeout);
    }
}

} // namespace
} // namespace postrider::agent::bounds_test
