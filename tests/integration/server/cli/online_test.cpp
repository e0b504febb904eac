// `check --online` and `doctor` against a real Postgres and stand-ins for the world.
#include "server/cli/command_line.hpp"
#include "server/cli/run.hpp"
#include "tests/integration/server/cli/scene.hpp"
#include "tests/support/fake_models.hpp"
#include "tests/support/fake_telegram.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/shell_line.hpp"

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

class online : public testing::Test {
protected:
    online() {
        models.require_key("key-1");
        models.offer_models({"claude-haiku-4-5"});
    }

    struct outcome {
        int code;
        std::string out;
    };

    outcome run_with(std::vector<std::string> args) {
        args.insert(args.end(), {"--data", testing::TempDir()});
        std::ostringstream out, err;
        int const code = run(args, world, out, err);
        expect_commands(out.str());
        return {code, out.str() + err.str()};
    }

    // What is advised can be pasted.
    static void expect_commands(std::string_view findings) {
        constexpr std::string_view arrow = "       → ";
        constexpr std::string_view pipe = " | ";
        for (auto at = findings.find(arrow); at != findings.npos; at = findings.find(arrow, at)) {
            at += arrow.size();
            auto advice = findings.substr(at, findings.find('\n', at) - at);
            while (!advice.empty()) {
                auto const end = std::min(advice.find(pipe), advice.size());
                std::string const command(advice.substr(0, end));
                auto const read = parse_command_line(tests::arguments_of(command));
                EXPECT_TRUE(command.starts_with("postrider ")) << command;
                EXPECT_TRUE(read.values) << command << "\n" << read.text;
                advice.remove_prefix(std::min(end + pipe.size(), advice.size()));
            }
        }
    }

    void beat(std::string const& version, std::string const& age, int busy = 0) {
        database.execute(
            "insert into postrider.node (node_id, beat_at, pid, pid_started, boot_id, pid_space, "
            "host, version, slots, busy) "
            "values (nextval('postrider.number'), postrider.now() - interval '" +
            age + "', 7, 1, 'b', 'p', 'box', '" + version + "', 4, " + std::to_string(busy) + ")"
        );
    }

    tests::test_database database;
    tests::fake_telegram telegram;
    tests::fake_models models;
    base::environment world{
        {"DATABASE_URL", database.url()},
        {"TELEGRAM_BOT_TOKEN", telegram.token()},
        {"TELEGRAM_API_BASE", telegram.api_base()},
        {"ANTHROPIC_API_KEY", "key-1"},
        {"ANTHROPIC_BASE_URL", models.address()}};
};

using check_online = online;
using doctor = online;

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
    database.execute(R"sql(
insert into postrider.flow (name, draft) values ('shop', '{}');
insert into postrider.flow_version (flow_id, version, document) select flow_id, 1,
    '{"nodes": [{"id": "t", "type": "tool.flow", "parameters": {"name": "refund"}}]}' from postrider.flow where name = 'shop';
update postrider.flow set published_version = 1 where name = 'shop';
)sql");

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
    database.execute(R"sql(
insert into postrider.flow (name, draft) values ('shop', '{}');
insert into postrider.flow_version (flow_id, version, document) select flow_id, 1, '{"format": 1, "name": "shop", "nodes": [
    {"id": "in", "name": "In", "type": "manual"},
    {"id": "a", "name": "Seller", "type": "agent"},
    {"id": "m", "name": "Model", "type": "model", "parameters": {"model": "{{ $vars.agent.model }}"}},
    {"id": "t", "name": "Tools", "type": "tool"}],
  "connections": [{"from": "in", "to": "a"}, {"type": "ai_model", "from": "m", "to": "a"},
    {"type": "ai_tool", "from": "t", "to": "a"}]}' from postrider.flow where name = 'shop';
update postrider.flow set published_version = 1 where name = 'shop';
)sql");
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
    world["OPENAI_API_KEY"] = "key-1";
    world["OPENAI_BASE_URL"] = models.address() + "/v1";
    world["OPENAI_API"] = "chat";
    world["OPENAI_MODEL"] = "llama3";
    world.erase("ANTHROPIC_API_KEY");

    auto done = run_with({"check", "--online"});

    EXPECT_EQ(done.code, 0) << done.out;
    EXPECT_THAT(done.out, HasSubstr("openai/llama3 answers"));
    EXPECT_EQ(models.requests().at(0).path, "/v1/models");
}

TEST_F(check_online, openai_itself_is_asked_for_the_model) {
    models.offer_models({"gpt-4o-mini"});
    world["OPENAI_API_KEY"] = "key-1";
    world["OPENAI_BASE_URL"] = models.address() + "/v1";
    world.erase("ANTHROPIC_API_KEY");

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

TEST_F(doctor, is_content_with_a_quiet_installation) {
    beat("0.1.0", "1 s");

    auto done = run_with({"doctor", "--json"});
    auto told = boost::json::parse(done.out);

    EXPECT_EQ(done.code, 0) << done.out;
    EXPECT_TRUE(told.at("ok").as_bool());
    for (auto const& entry : told.at("findings").as_array()) {
        auto const& subject = entry.at("what").as_string();
        if (subject == "disk") continue; // this machine's
        EXPECT_EQ(entry.at("result").as_string(), "ok") << subject;
    }
    EXPECT_GE(told.at("findings").as_array().size(), 14u);
}

TEST_F(doctor, misses_a_server) {
    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("failed nodes: no server runs"));
    EXPECT_THAT(done.out, HasSubstr("→ postrider serve\n"));
}

TEST_F(doctor, sees_silent_nodes_mixed_versions_and_full_slots) {
    beat("0.1.0", "1 s", 4);
    beat("0.2.0", "1 s", 4);
    beat("0.2.0", "20 s");

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 0);
    EXPECT_THAT(done.out, HasSubstr("warn   nodes: 2 alive, 8 of 8 slots busy"));
    EXPECT_THAT(done.out, HasSubstr("has fallen silent"));
    EXPECT_THAT(done.out, HasSubstr("warn   versions: 2 side by side, from 0.1.0 to 0.2.0"));
}

TEST_F(doctor, counts_what_went_wrong_lately) {
    beat("0.1.0", "1 s");
    database.execute(tests::one_turn);
    database.execute(
        "insert into postrider.effect (job_id, flagged, key, kind, class, state) values "
        "(42, false, 'tool/1', 'tool.todo', 'at_least_once', 'done')"
    );
    database.execute("update postrider.effect set state = 'failed'");

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 0);
    EXPECT_THAT(done.out, HasSubstr("warn   dead letters: 1 jobs failed lately"));
    EXPECT_THAT(
        done.out, HasSubstr("warn   effects: 1 in doubt lately\n       → postrider effects list\n")
    );
    EXPECT_THAT(done.out, HasSubstr("warn   deliveries: 1 failed lately"))
        << "a tool that failed is no delivery";
}

TEST_F(doctor, counts_the_jobs_that_ended_without_what_was_asked_for) {
    beat("0.1.0", "1 s");
    database.execute(tests::one_turn);
    database.execute("update postrider.job set degraded = true, error_class = 'unauthorized', "
                     "error = 'HTTP 401', degraded_reason = 'model_failed', "
                     "finished_at = postrider.now() - interval '23 h' where job_id = 42;"
                     "update postrider.job set degraded = true, error_class = 'refused', "
                     "state = 'completed', degraded_reason = 'undelivered', "
                     "finished_at = postrider.now() - interval '25 h' where job_id = 43");

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 0);
    EXPECT_THAT(
        done.out,
        HasSubstr("warn   degraded jobs: 1 jobs completed within a day without the requested "
                  "result: 1 model_failed\n"
                  "       → postrider jobs list --state degraded, or --reason REASON\n")
    );
}

TEST_F(doctor, fails_for_a_stopped_bot_and_for_lanes_that_nobody_takes) {
    beat("0.1.0", "1 s");
    database.execute(
        "insert into postrider.bot (name, stopped_at, stopped_reason) values ('other', now(), "
        "'getMe: 401');"
        "insert into postrider.lane (lane_key, paused_at) values ('1:5:0', null), ('a lane', "
        "now());"
        "update postrider.lane_run r set ready_at = postrider.now() - interval '2 min', arrivals = "
        "1, head = 1 from postrider.lane l where l.lane_id = r.lane_id and lane_key = '1:5:0';"
        "insert into postrider.pause (scope, reason) values ('all', 'moving house')"
    );

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("failed bot other: stopped: getMe: 401"));
    EXPECT_THAT(
        done.out, HasSubstr("failed queue: 0 lanes run, 1 wait, the oldest that is ready for 2min")
    );
    EXPECT_THAT(
        done.out, HasSubstr("warn   paused: all: moving house\n       → postrider resume\n")
    );
    EXPECT_THAT(done.out, HasSubstr("→ postrider lanes resume 'a lane'\n"));
}

TEST_F(doctor, tells_of_a_provider_that_keeps_failing) {
    beat("0.1.0", "1 s");
    database.execute("insert into postrider.bucket (name, breaker, open_until, reason) values "
                     "('model:default', 'open', postrider.now() + interval '1 hour', 'unavailable')"
    );

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 0);
    EXPECT_THAT(done.out, HasSubstr("warn   model:default: its breaker is open for 3"));
    EXPECT_THAT(done.out, HasSubstr("s more: unavailable; turns wait"));
}

TEST_F(doctor, fails_when_partitions_run_out) {
    beat("0.1.0", "1 s");
    database.execute("select setval('postrider.number', 1000000000)");

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("failed partitions: 0 ahead"));
}

TEST_F(doctor, says_that_the_database_is_away) {
    world["DATABASE_URL"] = "postgresql://postrider@127.0.0.1:1/postrider";

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("failed database: unavailable"));
    EXPECT_THAT(done.out, HasSubstr("ok     telegram main: @fern_bot"));
}

TEST_F(doctor, and_check_say_that_the_database_is_read_only_and_the_way_out) {
    auto const name = database.name();
    database.execute("alter database " + name + " set default_transaction_read_only = on");
    auto const told = "failed writing: the database is read-only: default_transaction_read_only is "
                      "on; `begin read write; alter database " +
                      name + " reset default_transaction_read_only; commit` ends it";

    for (auto const& args :
         std::vector<std::vector<std::string>>{{"doctor"}, {"check"}, {"check", "--online"}}) {
        auto const done = run_with(args);

        EXPECT_EQ(done.code, 1) << args.front();
        EXPECT_THAT(done.out, HasSubstr(told)) << args.front();
    }
}

TEST_F(doctor, names_the_role_whose_setting_makes_it_read_only) {
    auto const role = "frozen_" + database.name();
    database.execute("create role " + role + " login superuser");
    database.execute("alter role " + role + " set default_transaction_read_only = on");
    world["DATABASE_URL"] = database.url() + " user=" + role;

    auto const done = run_with({"doctor"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("alter role " + role + " reset default_transaction_read_only"));
    database.execute("drop role " + role);
}

TEST_F(doctor, tells_of_the_webhooks_troubles) {
    beat("0.1.0", "1 s");
    world["POSTRIDER_PUBLIC_URL"] = "https://localhost";
    ASSERT_EQ(run_with({"bot", "webhook", "set"}).code, 0);
    telegram.say({.from = user_id{7}, .text = "hello"});
    ASSERT_TRUE(telegram.wait_until(
        [](auto const& record) { return !record.deliveries.empty(); }, std::chrono::seconds{10}
    ));

    auto done = run_with({"doctor"});

    EXPECT_THAT(done.out, HasSubstr("warn   webhook main: Telegram's last error: "));
    EXPECT_THAT(done.out, HasSubstr("1 updates wait there"));
}

} // namespace
} // namespace postrider::cli::online_test
