// What a setting allows is what the flow that ships passes on to its nodes, and what they take.
#include "agent/describe/bounds.hpp"
#include "agent/flow/catalog.hpp"
#include "agent/tools/tool.hpp"
#include "net/guarded_client.hpp"
#include "tests/support/paths.hpp"
#include "tests/unit/server/start/config_file.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace postrider::server::bounds_test {
namespace {

namespace bounds = agent::bounds;

std::string allowed(std::string_view key) {
    auto const table = settings_table();
    auto const row = std::ranges::find(table, key, &base::setting::key);
    return row == table.end() ? "no such key" : std::string(row->constraint);
}

std::string fallback(std::string_view key) {
    auto const table = settings_table();
    auto const row = std::ranges::find(table, key, &base::setting::key);
    return row == table.end() ? "no such key" : std::string(row->fallback);
}

TEST(bounds, are_those_of_the_settings) {
    EXPECT_EQ(allowed("agents.*.history"), to_text(bounds::history));
    EXPECT_EQ(allowed("agents.*.history_tokens"), to_text(bounds::history_tokens));
    EXPECT_EQ(allowed("agents.*.max_tool_calls"), to_text(bounds::tool_calls));
    EXPECT_EQ(allowed("agents.*.max_repeats"), to_text(bounds::repeats));
    EXPECT_EQ(allowed("models.*.max_tokens"), to_text(bounds::answer_tokens));
    EXPECT_EQ(allowed("models.*.timeout"), to_text(bounds::model_timeout));
    EXPECT_EQ(allowed("approvals.timeout"), to_text(bounds::approval_timeout));
    EXPECT_EQ(fallback("approvals.timeout"), base::to_text(bounds::approval_timeout.usual));
    EXPECT_EQ(allowed("bots.*.debounce"), "0s.." + base::to_text(bounds::longest_debounce));
}

TEST(bounds, are_those_of_the_database) {
    std::ifstream in(tests::source("sql/tables/0001_engine.sql"));
    std::ostringstream text;
    text << in.rdbuf();

    EXPECT_NE(
        text.str().find(
            "check (debounce_ms between 0 and " + std::to_string(bounds::longest_debounce.count()) +
            ")"
        ),
        std::string::npos
    );
}

// A setting that a node would refuse switches a part of the agent off while it runs.
TEST(bounds, of_the_settings_are_within_those_of_the_parameters_that_they_fill) {
    std::ifstream in(tests::source("flows/assistant.json"));
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
            auto const behind = expression.substr(variable.size());
            auto const begin = behind.starts_with('?') ? 1u : 0u; // one that may be missing
            auto const member = behind.substr(begin, behind.find_first_of(" .") - begin);
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
    EXPECT_EQ(compared, 5);
}

// A step that ended first would not know what became of its request.
TEST(bounds, of_a_tools_request_are_shorter_than_those_of_its_step) {
    auto const request = std::chrono::ceil<std::chrono::milliseconds>(net::web_request{}.deadline);
    for (auto const* name : {"http_request", "web_search"}) {
        auto const* tool = agent::find_tool(name);
        ASSERT_TRUE(tool) << name;
        EXPECT_LT(request, tool->tries.timeout) << name;
    }
    EXPECT_LT(request, agent::usual_tool_tries.timeout);
}

// A part that is made without a configuration has the table's defaults.
TEST(bounds, of_a_configuration_that_nobody_wrote_are_the_tables_defaults) {
    auto const table = from_file("").values;
    config const unread{};

    EXPECT_EQ(unread.approval_timeout, table.approval_timeout);
    EXPECT_EQ(unread.slots, table.slots);
    EXPECT_EQ(unread.drain_timeout, table.drain_timeout);
    EXPECT_EQ(unread.keep_inbox, table.keep_inbox);
    EXPECT_EQ(unread.keep_rejected, table.keep_rejected);
    EXPECT_EQ(unread.keep_jobs, table.keep_jobs);
    EXPECT_EQ(unread.keep_messages, table.keep_messages);
    EXPECT_EQ(unread.prepared, table.prepared);
    EXPECT_EQ(unread.listen_to_others, table.listen_to_others);
    EXPECT_EQ(unread.timezone, table.timezone);
    EXPECT_EQ(unread.telemetry.service, table.telemetry.service);
    auto const& assistant = table.agents.at("assistant");
    EXPECT_EQ(agent_config{}.models, assistant.models);
    EXPECT_EQ(agent_config{}.history, assistant.history);
    EXPECT_EQ(agent_config{}.history_tokens, assistant.history_tokens);
    EXPECT_EQ(agent_config{}.max_tool_calls, assistant.max_tool_calls);
    EXPECT_EQ(agent_config{}.max_repeats, assistant.max_repeats);
}

} // namespace
} // namespace postrider::server::bounds_test
