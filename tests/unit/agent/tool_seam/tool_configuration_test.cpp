// What follows from a tool's rows of settings: the operator writes them in [tools.NAME], they are
// checked and documented, and the tool reads them by name.
#include "agent/flow/parts/offered_tools.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"
#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::tool_configuration_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

auto const asking = flow_builder("asking")
                        .trigger("In", "manual")
                        .agent("Ask")
                        .part("Forecast", "tool.forecast", {{"name", "rain"}})
                        .text();

TEST(tool_configuration, is_in_the_table_of_settings_with_its_documentation) {
    std::vector<std::string> rows;
    for (auto const& row : server::settings_table())
        if (row.key.starts_with("tools.")) rows.push_back(std::string(row.key));

    EXPECT_THAT(
        rows,
        ElementsAre(
            "tools.*.risk", "tools.forecast.url", "tools.forecast.api_key", "tools.forecast.days"
        )
    );
}

TEST(tool_configuration, is_handed_to_the_tool_whatever_its_node_calls_it) {
    auto const loaded =
        server::from_file("[tools.forecast]\napi_key = 'k-1'\ndays = 7\nrisk = 'medium'\n");
    ASSERT_THAT(loaded.problems, IsEmpty());
    flow_world w(asking);
    w.tools = loaded.values.tools;
    w.model.script = {calls({{"rain", {}}}), says("Done")};

    w.run(json::object{{"text", "Will it rain?"}});

    EXPECT_EQ(loaded.values.tools.at("forecast").risk, agent::risk::medium);
    EXPECT_THAT(
        w.model.requests.at(1).messages.back().content,
        HasSubstr("https://rain.example tells of 7 days to k-1")
    );
}

TEST(tool_configuration, decides_whether_models_are_offered_the_tool) {
    flow_world w(asking);
    w.tools = server::from_file("").values.tools;
    w.model.script = {says("Done")};

    w.run(json::object{{"text", "Will it rain?"}});

    EXPECT_THAT(w.model.requests.at(0).tools, IsEmpty());
    EXPECT_TRUE(
        flow::offer(*agent::find_tool("forecast")).configuration.values.secret("api_key").empty()
    ) << "its fallbacks are there before anybody has read a file";
}

TEST(tool_configuration, is_shown_without_its_secrets) {
    auto const loaded = server::from_file("[tools.forecast]\napi_key = 'k-1'\n");

    for (auto const& line : loaded.effective) {
        EXPECT_THAT(line.value, testing::Not(HasSubstr("k-1"))) << line.key;
    }
}

TEST(tool_configuration, is_checked_by_its_rows_and_by_the_tool) {
    EXPECT_THAT(
        server::from_file("[tools.forecast]\ndays = 15\n").problems,
        ElementsAre(HasSubstr("tools.forecast.days"))
    );
    EXPECT_THAT(
        server::from_file("[tools.forecast]\nurl = 'http://x.org'\n").problems,
        ElementsAre("tools.forecast.url: the key would be sent in the clear")
    );
    EXPECT_THAT(
        server::from_file("[tools.greet]\ndays = 7\n").problems,
        ElementsAre(HasSubstr("unknown key tools.greet.days"))
    );
}

} // namespace
} // namespace postrider::tests::tool_configuration_test
