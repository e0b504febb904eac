// `check --online` against a real Postgres and stand-ins for the world.
#include "tests/integration/server/cli/online_world.hpp"
#include "tests/support/paths.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace postrider::cli::online_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class check_online : public online_world {
protected:
    void publish_shop(std::string const& document) {
        database.execute(
            "with f as (insert into postrider.flow (name, draft, published_version) "
            "values ('shop', '{}', 1) returning flow_id) "
            "insert into postrider.flow_version (flow_id, version, document) select flow_id, 1, '" +
            document + "' from f"
        );
    }
    // Instead of the other provider.
    void use_openai() {
        world["OPENAI_API_KEY"] = "key-1";
        world["OPENAI_BASE_URL"] = models.address() + "/v1";
        world.erase("ANTHROPIC_API_KEY");
    }
};

TEST_F(check_online, asks_everybody_that_is_configured) {
    auto done = run_with({"check", "--online"});

    EXPECT_EQ(done.code, 0) << done.out;
    EXPECT_THAT(done.out, HasSubstr("ok     postgres: Postgres "));
    EXPECT_THAT(done.out, HasSubstr("ok     clock: agrees"));
    EXPECT_THAT(done.out, HasSubstr("may read, write and migrate"));
    EXPECT_THAT(done.out, HasSubstr("ok     telegram main: @fern_bot"));
    EXPECT_THAT(done.out, HasSubstr("ok     webhook main: none: updates are polled"));
    EXPECT_THAT(done.out, HasSubstr("anthropic/claude-haiku-4-5 answers and takes the key"));
    EXPECT_THAT(done.out, Not(HasSubstr(telegram.token())));
}

TEST_F(check_online, tells_of_a_tool_that_does_not_exist) {
    auto const file = testing::TempDir() + "postrider_tools.toml";
    std::ofstream(file) << R"(
[tools.http_requst]
risk = "high"
[tools.refund]
risk = "high"
[tools.files_write]
risk = "high"
[mcp.files]
command = "/bin/true"
)";
    publish_shop(
        R"({"nodes": [{"id": "t", "type": "tool.flow", "parameters": {"name": "refund"}}]})"
    );

    auto const done = run_with({"check", "--config", file});

    EXPECT_EQ(done.code, 0) << done.out;
    EXPECT_THAT(done.out, HasSubstr("warn   tool http_requst: no built-in tool"));
    EXPECT_THAT(done.out, HasSubstr("did you mean http_request?"));
    EXPECT_THAT(done.out, Not(HasSubstr("tool refund")));
    EXPECT_THAT(done.out, Not(HasSubstr("tool files_write")));
}

TEST_F(check_online, asks_every_mcp_server_and_shows_no_secret) {
    auto const file = testing::TempDir() + "postrider_mcp_check.toml";
    auto const program = tests::built("mcp_server");
    std::ofstream(file) << fmt::format(
        R"(
[secrets.key]
value = "hunter2hunter2"
[mcp.files]
command = ["{0}"]
secret_environment = ["API_KEY=key"]
[mcp.absent]
command = ["/no/such/program"]
[mcp.garbage]
command = ["{0}", "babbles"]
secret_environment = ["API_KEY=key"]
[mcp.hangs]
command = ["{0}", "silent"]
revision = "2025-11-25"
connect_timeout = "1s"
[mcp.ends]
command = ["{0}", "talks_on_stderr_and_ends"]
secret_environment = ["API_KEY=key"]
[mcp.locked]
url = "{1}/v1/messages"
bearer = "hunter2hunter2"
)",
        program,
        models.address()
    );
    database.execute("insert into postrider.refused_tool (model, tool, reason) values "
                     "('openai/gpt', 'files_echo', 'no')");

    using words = std::vector<std::string>;
    for (auto args : {words{"check", "--online"}, words{"doctor"}}) {
        args.insert(args.end(), {"--config", file});
        auto const done = run_with(args);

        EXPECT_EQ(done.code, 1);
        EXPECT_THAT(done.out, HasSubstr("warn   mcp files: reachable, revision 2025-11-25, "));
        EXPECT_THAT(done.out, HasSubstr("refused: files_echo by openai/gpt"));
        EXPECT_THAT(done.out, HasSubstr("failed mcp absent: "));
        EXPECT_THAT(done.out, HasSubstr("is the program installed?"));
        EXPECT_THAT(done.out, HasSubstr("failed mcp garbage: "));
        EXPECT_THAT(done.out, HasSubstr("failed mcp hangs: "));
        EXPECT_THAT(done.out, HasSubstr("failed mcp ends: "));
        EXPECT_THAT(done.out, HasSubstr("failed mcp locked: unauthorized"));
        EXPECT_THAT(done.out, HasSubstr("it refuses the login"));
        EXPECT_THAT(done.out, Not(HasSubstr("hunter2")));
    }
}

TEST_F(check_online, an_agent_with_tools_and_a_model_without_is_a_warning) {
    publish_shop(R"({"format": 1, "name": "shop", "nodes": [
    {"id": "in", "name": "In", "type": "manual"},
    {"id": "a", "name": "Seller", "type": "agent"},
    {"id": "m", "name": "Model", "type": "model", "parameters": {"model": "{{ $vars.agent.model }}"}},
    {"id": "t", "name": "Tools", "type": "tool"}],
  "connections": [{"from": "in", "to": "a"}, {"type": "ai_model", "from": "m", "to": "a"},
    {"type": "ai_tool", "from": "t", "to": "a"}]})");
    auto const file = testing::TempDir() + "postrider_toolless.toml";
    std::ofstream(file) << "[models.default]\ntools = \"false\"\n";

    auto const able = run_with({"check"});
    auto const unable = run_with({"check", "--config", file});
    auto const well = run_with({"doctor", "--config", file});

    EXPECT_THAT(able.out, Not(HasSubstr("takes no tools")));
    EXPECT_EQ(unable.code, 0) << unable.out;
    constexpr auto words = "warn   flow shop: its agent Seller has a tool, and its model default "
                           "(anthropic/claude-haiku-4-5) takes no tools";
    EXPECT_THAT(unable.out, HasSubstr(words));
    EXPECT_THAT(well.out, HasSubstr(words));
}

TEST_F(check_online, asks_nobody_outside_without_the_flag) {
    auto done = run_with({"check"});

    EXPECT_EQ(done.code, 0);
    EXPECT_TRUE(telegram.record().calls.empty());
    EXPECT_TRUE(models.requests().empty());
}

TEST_F(check_online, a_wrong_token_and_a_wrong_key_fail_with_advice) {
    world["TELEGRAM_BOT_TOKEN"] = "1:wrong";
    world["ANTHROPIC_API_KEY"] = "key-2";

    auto done = run_with({"check", "--online"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("failed telegram main: "));
    EXPECT_THAT(done.out, HasSubstr("get the right one from @BotFather"));
    EXPECT_THAT(
        done.out, HasSubstr("failed model default: anthropic/claude-haiku-4-5: unauthorized")
    );
}

TEST_F(check_online, a_model_that_the_provider_does_not_have_fails) {
    world["ANTHROPIC_MODEL"] = "claude-9";

    auto done = run_with({"check", "--online"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("anthropic/claude-9: not_found"));
}

TEST_F(check_online, a_compatible_server_is_asked_for_its_list) {
    use_openai();
    world["OPENAI_API"] = "chat";
    world["OPENAI_MODEL"] = "llama3";

    auto done = run_with({"check", "--online"});

    EXPECT_EQ(done.code, 0) << done.out;
    EXPECT_THAT(done.out, HasSubstr("openai/llama3 answers"));
    EXPECT_EQ(models.requests().at(0).path, "/v1/models");
}

TEST_F(check_online, openai_itself_is_asked_for_the_model) {
    models.offer_models({"gpt-4o-mini"});
    use_openai();

    auto done = run_with({"check", "--online"});

    EXPECT_EQ(done.code, 0) << done.out;
    EXPECT_EQ(models.requests().at(0).path, "/v1/models/gpt-4o-mini");
}

TEST_F(check_online, a_webhook_that_points_elsewhere_is_a_warning) {
    world["POSTRIDER_PUBLIC_URL"] = "https://localhost";

    auto done = run_with({"check", "--online"});

    EXPECT_EQ(done.code, 0) << done.out;
    EXPECT_THAT(done.out, HasSubstr("warn   webhook main: not set"));
    EXPECT_THAT(done.out, HasSubstr("warn   public url: localhost is "));
}

TEST_F(check_online, a_name_that_nobody_knows_fails) {
    world["POSTRIDER_PUBLIC_URL"] = "https://bot.invalid";

    auto done = run_with({"check", "--online"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("failed public url: bot.invalid: "));
}

TEST_F(check_online, tables_of_another_role_fail) {
    auto const role = "owner_" + database.name();
    database.execute("create role " + role + "; alter table postrider.chat owner to " + role);
    auto const reader = "reader_" + database.name();
    database.execute(
        "create role " + reader + " login; grant usage, create on schema postrider to " + reader +
        "; grant select on all tables in schema postrider to " + reader
    );
    world["DATABASE_URL"] = database.url() + " user=" + reader;

    auto done = run_with({"check", "--online"});

    EXPECT_EQ(done.code, 1) << done.out;
    EXPECT_THAT(done.out, HasSubstr("of the tables belong to others"));
    database.execute("drop owned by " + reader + "; drop role " + reader);
    database.execute("drop owned by " + role + "; drop role " + role);
}

} // namespace
} // namespace postrider::cli::online_test
