// `mcp tools` against the server of tests/support.
#include "agent/flow/parts/mcp_tool.hpp"
#include "server/cli/run.hpp"
#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace postrider::cli::mcp_tools_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class mcp_tools : public testing::Test {
protected:
    mcp_tools() {
        std::signal(SIGPIPE, SIG_IGN); // as main() does
        std::ofstream(file_) << R"(
[secrets.key]
value = "hunter2hunter2"
[mcp.files]
command = [")" + tests::built("mcp_server") +
                                    R"("]
[mcp.odd]
command = [")" + tests::built("mcp_server") +
                                    R"(", "odd_schema"]
[mcp.long]
command = [")" + tests::built("mcp_server") +
                                    R"(", "long_name"]
[mcp.broken]
command = [")" + tests::built("mcp_server") +
                                    R"(", "talks_on_stderr_and_ends"]
secret_environment = ["API_KEY=key"]
)";
    }
    ~mcp_tools() override { std::filesystem::remove(file_); }

    int ask(std::vector<std::string> args) {
        args.insert(args.begin(), {"mcp", "tools"});
        args.insert(args.end(), {"--config", file_.string()});
        return run(args, {}, out, err);
    }

    std::filesystem::path const file_ = std::filesystem::path(testing::TempDir()) /
                                        ("mcp_tools_test" + std::to_string(::getpid()) + ".toml");
    std::ostringstream out, err;
};

TEST_F(mcp_tools, lists_what_a_server_offers) {
    EXPECT_EQ(ask({"files"}), 0) << err.str();

    EXPECT_THAT(out.str(), HasSubstr("files fixture 1 (2025-11-25)"));
    EXPECT_THAT(out.str(), HasSubstr("files_echo"));
    EXPECT_THAT(out.str(), HasSubstr("may destroy"));
    EXPECT_THAT(out.str(), HasSubstr("does something"));
}

TEST_F(mcp_tools, gives_definitions_and_their_digests_as_json) {
    EXPECT_EQ(ask({"files", "--json"}), 0) << err.str();

    auto const server = boost::json::parse(out.str()).at("servers").at(0);
    EXPECT_EQ(server.at("revision"), "2025-11-25");
    EXPECT_EQ(server.at("tools").at(0).at("name"), "files_echo");
    EXPECT_EQ(server.at("tools").at(0).at("digest").as_string().size(), 64u);
}

TEST_F(mcp_tools, names_keywords_that_calls_are_not_held_against) {
    EXPECT_EQ(ask({"odd"}), 0) << err.str();
    EXPECT_THAT(out.str(), HasSubstr("odd_echo"));
    EXPECT_THAT(err.str(), HasSubstr("Not checked: echo inputSchema/minProperties: must be"));

    out.str("");
    EXPECT_EQ(ask({"odd", "--json"}), 0) << err.str();
    auto const server = boost::json::parse(out.str()).at("servers").at(0);
    EXPECT_EQ(server.at("unchecked").at(0).at("name"), "echo");
    EXPECT_EQ(server.at("dropped").as_array().size(), 0u);
}

// As [tools.NAME] has it too.
TEST_F(mcp_tools, shows_the_name_that_models_see) {
    EXPECT_EQ(ask({"long"}), 0) << err.str();
    auto const shortened = agent::flow::mcp_tool_name("long", std::string(70, 'x'));
    EXPECT_LE(shortened.size(), 64u);
    EXPECT_THAT(err.str(), HasSubstr("Offered to models as " + shortened + ": long_xxx"));

    out.str("");
    EXPECT_EQ(ask({"long", "--json"}), 0) << err.str();
    auto const server = boost::json::parse(out.str()).at("servers").at(0);
    EXPECT_EQ(server.at("tools").at(0).at("offered_as").as_string(), shortened);
}

TEST_F(mcp_tools, lists_no_other_name_where_models_see_it) {
    EXPECT_EQ(ask({"files"}), 0) << err.str();
    EXPECT_THAT(err.str(), Not(HasSubstr("Offered")));
}

TEST_F(mcp_tools, tells_why_a_server_does_not_answer_without_its_secrets) {
    EXPECT_EQ(ask({"broken"}), 1);

    EXPECT_THAT(err.str(), HasSubstr("cannot ask broken"));
    EXPECT_THAT(err.str(), testing::ContainsRegex("\n  broken: [^\n]*API_KEY=\\*{6}"));
    EXPECT_THAT(err.str(), Not(HasSubstr("hunter2")));
}

TEST_F(mcp_tools, a_name_that_is_not_there_is_told_with_the_one_that_was_meant) {
    EXPECT_EQ(ask({"file"}), 1);

    EXPECT_THAT(err.str(), HasSubstr("did you mean files?"));
}

} // namespace
} // namespace postrider::cli::mcp_tools_test
