// What a setting allows is what the flow that ships passes on to its nodes, and what they take.
#include "agent/bounds.hpp"
#include "agent/flow/catalog.hpp"
#include "server/start/config.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace postrider::server {
namespace {

namespace bounds = agent::bounds;

std::string allowed(std::string_view key) {
    auto const table = settings_table();
    auto const row = std::ranges::find(table, key, &base::setting::key);
    return row == table.end() ? "no such key" : std::string(row->constraint);
}

TEST(bounds, are_those_of_the_settings) {
    EXPECT_EQ(allowed("agents.*.history"), to_text(bounds::history));
    EXPECT_EQ(allowed("agents.*.max_tool_calls"), to_text(bounds::tool_calls));
    EXPECT_EQ(allowed("models.*.max_tokens"), to_text(bounds::answer_tokens));
    EXPECT_EQ(allowed("models.*.timeout"), to_text(bounds::model_timeout));
}

// A setting that a node would refuse switches a part of the agent off while it runs.
TEST(bounds, of_the_settings_are_within_those_of_the_parameters_that_they_fill) {
    std::ifstream in(std::string(POSTRIDER_SOURCE) + "/flows/assistant.json");
    std::ostringstream text;
    text << in.rdbuf();
    auto const flow = boost::json::parse(text.str());
    auto const types = agent::flow::builtin_types();
    int compared = 0;
    for (auto const& node : flow.at("nodes").as_array()) {
        auto const* parameters = node.as_object().if_contains("parameters");
        if (!parameters) continue;
        auto const* type = types.find(std::string_view(node.at("type").as_string()));
        ASSERT_TRUE(type);
        for (auto const& [name, value] : parameters->as_object()) {
            auto const& schema = type->parameters.at("properties").at(name).as_object();
            constexpr std::string_view variable = "{{ $vars.agent.";
            if (!value.is_string() || !schema.contains("maximum")) continue;
            std::string_view const expression(value.get_string());
            if (!expression.starts_with(variable)) continue;
            auto const member = expression.substr(
                variable.size(), expression.find(' ', variable.size()) - variable.size()
            );
            auto const key =
                (member == "max_tokens" ? "models.*." : "agents.*.") + std::string(member);
            EXPECT_EQ(
                allowed(key),
                std::to_string(schema.at("minimum").as_int64()) + ".." +
                    std::to_string(schema.at("maximum").as_int64())
            ) << key;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 3);
}

} // namespace
} // namespace postrider::server
