#pragma once
// An installation on a real Postgres with stand-ins for the world, and the commands that examine it. Whatever
// they advise is checked to be a command.
#include "server/cli/commands.hpp"
#include "server/cli/parser/command_line.hpp"
#include "server/cli/run.hpp"
#include "tests/integration/server/cli/scene.hpp"
#include "tests/support/fake_models.hpp"
#include "tests/support/fake_telegram.hpp"
#include "tests/support/shell_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <sstream>

namespace postrider::cli {

class online_world : public testing::Test {
protected:
    online_world() {
        std::signal(SIGPIPE, SIG_IGN); // as main() does
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
                auto const read = parse_command_line(tests::arguments_of(command), all_commands());
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

} // namespace postrider::cli
