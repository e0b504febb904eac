// Bounds that are met in several places are one value: what a node takes, what a step allows, what a
// request waits for. tests/unit/server/config has the settings'.
#include "agent/bounds.hpp"
#include "agent/flow/catalog.hpp"
#include "agent/flow/run/model_call.hpp"
#include "agent/models/options.hpp"

#include <gtest/gtest.h>

namespace postrider::agent {
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
    expect_bound(parameter(types, "agent", "max_tool_calls"), bounds::tool_calls);
    expect_bound(parameter(types, "agent", "max_iterations"), bounds::iterations);
    for (auto type : {"model", "model.anthropic", "model.openai", "model.compatible"})
        expect_bound(parameter(types, type, "max_tokens"), bounds::answer_tokens);
}

// What fails is the request, so that its failure is reported, and not the step that waits for it.
TEST(bounds, leave_a_step_longer_than_its_request) {
    for (auto timeout :
         {bounds::model_timeout.least, model_options{}.timeout, bounds::model_timeout.most}) {
        auto const policy = flow::asking(timeout);
        EXPECT_GT(policy.timeout, timeout);
        EXPECT_GE(*policy.total, 2 * timeout);
    }
}

} // namespace
} // namespace postrider::agent
