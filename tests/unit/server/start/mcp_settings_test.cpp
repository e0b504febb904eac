#include "server/start/config.hpp"
#include "tests/unit/server/start/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::server::mcp_settings_test {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(mcp_settings, name_a_program_with_what_it_gets) {
    auto const loaded = from_file(R"(
[secrets.code_key]
value = "hunter2"
[mcp.code]
command = ["mcp-code", "--fast"]
environment = ["HOME=/var/lib/code", "MODE=a=b"]
secret_environment = ["API_KEY=code_key"]
cpu_seconds = 60
timeout = "5min"
revision = "2025-06-18"
)");

    ASSERT_THAT(loaded.problems, IsEmpty());
    auto const& server = loaded.values.mcp_servers.at("code");
    ASSERT_TRUE(server.command);
    EXPECT_EQ(server.command->program, "mcp-code");
    EXPECT_THAT(server.command->arguments, ElementsAre("--fast"));
    ASSERT_EQ(server.command->environment.size(), 3u);
    EXPECT_EQ(server.command->environment[1].second.reveal(), "a=b");
    EXPECT_EQ(server.command->environment[2].second.reveal(), "hunter2");
    EXPECT_EQ(server.command->limits.cpu_seconds, 60u);
    EXPECT_EQ(server.client.call_timeout, 5min);
    EXPECT_EQ(server.client.handshake.revision, "2025-06-18");
    EXPECT_EQ(server.client.name, "code");
}

TEST(mcp_settings, name_an_address_with_what_is_sent_to_it) {
    auto const loaded = from_file(R"(
[secrets.team_key]
value = "k"
[mcp.tickets]
url = "https://mcp.example.org/v1/mcp"
bearer = "hunter2"
headers = ["X-Team=blue"]
secret_headers = ["X-Key=team_key"]
)");

    ASSERT_THAT(loaded.problems, IsEmpty());
    auto const& server = loaded.values.mcp_servers.at("tickets");
    EXPECT_FALSE(server.command);
    EXPECT_EQ(server.address.origin, "https://mcp.example.org");
    EXPECT_EQ(server.address.path, "/v1/mcp");
    ASSERT_EQ(server.headers.size(), 3u);
    EXPECT_EQ(server.headers[0].second.reveal(), "Bearer hunter2");
    EXPECT_EQ(server.headers[2].second.reveal(), "k");
    for (auto const& line : loaded.effective) EXPECT_THAT(line.value, Not(HasSubstr("hunter2")));
}

struct mistake {
    std::string file;
    std::string told;
};

class mcp_mistake : public testing::TestWithParam<mistake> {};

TEST_P(mcp_mistake, is_told_without_what_may_be_a_secret) {
    auto const loaded = from_file(GetParam().file);

    EXPECT_THAT(loaded.problems, Contains(HasSubstr(GetParam().told)));
    for (auto const& problem : loaded.problems) EXPECT_THAT(problem, Not(HasSubstr("hunter2")));
}

INSTANTIATE_TEST_SUITE_P(
    mcp_settings,
    mcp_mistake,
    testing::Values(
        mistake{"[mcp.a]\ntimeout = \"5s\"", "mcp.a: it needs a command or a url"},
        mistake{"[mcp.a]\nurl = \"http://x/\"\ncommand = [\"x\"]", "and not both"},
        mistake{"[mcp.a]\nurl = \"gopher://x/\"", "mcp.a: url"},
        mistake{"[mcp.\"a b\"]\ncommand = [\"x\"]", "a name is up to 32"},
        // Its tool "c" would be called as the tool "b_c" of the other.
        mistake{
            "[mcp.a]\ncommand = [\"x\"]\n[mcp.a_b]\ncommand = [\"x\"]",
            "mcp.a_b: its tools could have the names of those of mcp.a"},
        mistake{"[mcp.a]\ncommand = [\"x\"]\nbearer = \"hunter2\"", "bearer is for a url"},
        mistake{
            "[mcp.a]\nurl = \"http://x/\"\nenvironment = [\"A=b\"]",
            "environment is for a command"},
        mistake{"[mcp.a]\ncommand = [\"x\"]\nenvironment = [\"hunter2\"]", "write NAME=value"},
        mistake{
            "[mcp.a]\ncommand = [\"x\"]\nsecret_environment = [\"KEY=hunter2\"]",
            "KEY is to name a [secrets.NAME]"},
        mistake{"[mcp.a]\nurl = \"http://x/\"\nheaders = [\"X Y=hunter2\"]", "headers: write NAME"},
        mistake{"[mcp.a]\ncommand = [\"x\"]\nrevision = \"2024-11-05\"", "mcp.a.revision"},
        mistake{
            "[mcp.a]\ncommand = [\"x\"]\ntimeout = \"2h\"", "longest_call is shorter than timeout"}
    )
);

} // namespace
} // namespace postrider::server::mcp_settings_test
