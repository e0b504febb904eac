#include "server/cli/commands.hpp"
#include "server/cli/run.hpp"
#include "tests/support/shell_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace postrider::cli::run_test {
namespace {

using testing::HasSubstr;

struct outcome {
    int code;
    std::string out;
    std::string err;
};

outcome run_with(std::vector<std::string> const& args, base::environment environment = {}) {
    std::ostringstream out, err;
    int const code = run(args, environment, out, err);
    return {code, out.str(), err.str()};
}

TEST(command_line, help_goes_to_stdout_and_mistakes_to_stderr) {
    auto help = run_with({"--help"});
    auto wrong = run_with({"sing"});

    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.out, HasSubstr("serve"));
    EXPECT_EQ(help.err, "");
    EXPECT_EQ(wrong.code, 2);
    EXPECT_EQ(wrong.out, "");
    EXPECT_THAT(wrong.err, HasSubstr("sing"));
}

// Takes what is written, as stdio's buffer does, and cannot write it out.
class full_disk final : public std::stringbuf {
    int sync() override { return -1; }
};

TEST(command_line, output_that_cannot_be_written_is_a_failure) {
    for (std::vector<std::string> args : {std::vector<std::string>{"version"}, {"--help"}}) {
        full_disk disk;
        std::ostream out(&disk);
        std::ostringstream err;

        EXPECT_EQ(run(args, {}, out, err), 1) << args.front();
        EXPECT_EQ(
            err.str(),
            "postrider: not all of the output could be written: the disk is full, or its reader is "
            "gone\n"
        );
    }
}

TEST(command_line, a_command_that_fails_keeps_its_code_where_its_output_cannot_be_written) {
    full_disk disk;
    std::ostream out(&disk);
    std::ostringstream err;

    EXPECT_EQ(run({"check"}, {{"POSTRIDER_SLOTS", "many"}}, out, err), 2);
    EXPECT_EQ(err.str(), "");
}

class environment_file : public testing::Test {
protected:
    environment_file() {
        std::filesystem::create_directories(folder_);
        old_ = std::filesystem::current_path();
        std::filesystem::current_path(folder_);
    }
    ~environment_file() override {
        std::filesystem::current_path(old_);
        std::filesystem::remove_all(folder_);
    }

    void write(std::string const& name, std::string_view text, int mode = 0600) {
        std::ofstream(name) << text;
        std::filesystem::permissions(name, std::filesystem::perms(mode));
    }

private:
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("env_file." + std::to_string(::getpid()));
    std::filesystem::path old_;
};

TEST_F(environment_file, of_the_working_directory_counts_and_is_named) {
    write("postrider.env", "POSTRIDER_SLOTS=7\nDATABASE_URL=postgresql://u:hidden@127.0.0.1:1/d\n");

    auto const told = run_with({"check"});

    EXPECT_THAT(told.out, testing::ContainsRegex("engine.slots +7 +postrider.env:1"));
    EXPECT_THAT(told.out, testing::Not(HasSubstr("hidden")));
    EXPECT_THAT(told.out, testing::Not(HasSubstr("chmod")));
}

TEST_F(environment_file, is_the_one_that_the_option_names_else_the_environment) {
    write("postrider.env", "POSTRIDER_SLOTS=7\n");
    write("a.env", "POSTRIDER_SLOTS=8\n");
    write("b.env", "POSTRIDER_SLOTS=9\n");
    base::environment const variables{{"POSTRIDER_ENV_FILE", "a.env"}};

    EXPECT_THAT(run_with({"check"}, variables).out, HasSubstr("a.env:1"));
    EXPECT_THAT(run_with({"check", "--env-file", "b.env"}, variables).out, HasSubstr("b.env:1"));
}

TEST_F(environment_file, that_is_wrong_or_was_named_and_is_missing_is_a_wrong_configuration) {
    write("postrider.env", "# settings\nPOSTRIDER_SLOTS\n");
    auto const wrong = run_with({"jobs", "list"});
    auto const missing = run_with({"jobs", "list", "--env-file", "none.env"});

    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("postrider.env:2: the line is not NAME=value"));
    EXPECT_EQ(missing.code, 2);
    EXPECT_THAT(missing.err, HasSubstr("cannot read the file none.env"));
}

TEST_F(environment_file, with_secrets_that_everybody_may_read_is_warned_of) {
    write("secret", "k");
    auto const check_with = [&](std::string_view text) {
        write("postrider.env", text, 0644);
        return run_with({"check"}).out;
    };

    for (auto const* secret : {"ANTHROPIC_API_KEY=k", "POSTRIDER_SECRET_SHOP=k"})
        EXPECT_THAT(check_with(secret), HasSubstr("chmod 600 postrider.env")) << secret;
    for (auto const* open : {"POSTRIDER_SLOTS=7", "POSTRIDER_SECRET_SHOP_FILE=secret"})
        EXPECT_THAT(check_with(open), testing::Not(HasSubstr("chmod"))) << open;
}

TEST(command_line, every_wrong_setting_is_told_before_anything_starts) {
    auto done = run_with({"serve"}, {{"POSTRIDER_SLOTS", "many"}, {"POSTRIDER_LOG_LEVEL", "loud"}});

    EXPECT_EQ(done.code, 2);
    EXPECT_EQ(done.out, "");
    EXPECT_THAT(
        done.err,
        AllOf(
            HasSubstr("POSTRIDER_SLOTS"),
            HasSubstr("POSTRIDER_LOG_LEVEL"),
            HasSubstr("2 settings to fix;")
        )
    );
}

TEST(command_line, health_says_why_nobody_answers) {
    auto port_0 = run_with({"health", "--address", "127.0.0.1:0"});
    auto no_address = run_with({"health", "--address", "somewhere"});
    auto no_socket = run_with({"health"}, {{"POSTRIDER_LISTEN", "unix:/nowhere/http.sock"}});
    auto no_server = run_with({"health", "--address", "[::]:1"});
    auto not_here = run_with({"health", "--listen", "127.0.0.1:1"});

    for (auto const& failure : {port_0, no_address, no_socket, no_server}) {
        EXPECT_EQ(failure.code, 1);
        EXPECT_EQ(failure.out, "");
    }
    EXPECT_THAT(
        port_0.err, HasSubstr("\"127.0.0.1:0\" is not a server's address: there is no such port")
    );
    EXPECT_THAT(no_address.err, HasSubstr("unix:/run/postrider.sock"));
    EXPECT_THAT(no_socket.err, HasSubstr("cannot reach the server at unix:/nowhere/http.sock"));
    EXPECT_THAT(no_server.err, HasSubstr("cannot reach the server at [::]:1"));
    EXPECT_THAT(
        no_server.err, HasSubstr("`postrider serve` starts one; --address says where it is.\n")
    );
    EXPECT_THAT(not_here.err, HasSubstr("--address says where it is if server.listen does not.\n"));
}

TEST(command_line, chat_says_where_it_looked_for_a_server_and_what_starts_one) {
    auto const done = run_with(
        {"chat", "--say", "hi", "--address", "127.0.0.1:1"}, {{"POSTRIDER_ADMIN_TOKEN", "t0ken"}}
    );

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.err, HasSubstr("postrider tried http://127.0.0.1:1\n"));
    EXPECT_THAT(done.err, HasSubstr("`postrider serve` starts one"));
}

TEST(command_line, a_fault_that_does_not_exist_is_told) {
    auto done = run_with({"serve"}, {{"POSTRIDER_FAULTS", "nowhere:kill"}});

    EXPECT_EQ(done.code, 2);
    EXPECT_THAT(done.err, HasSubstr("nowhere"));
}

TEST(command_line, a_wrong_fault_hides_no_other_mistake) {
    base::environment const wrong{
        {"POSTRIDER_FAULTS", "nowhere:kill"}, {"POSTRIDER_SLOTS", "many"}};

    auto served = run_with({"serve"}, wrong);
    auto checked = run_with({"check"}, wrong);
    auto version = run_with({"version"}, wrong);

    EXPECT_EQ(served.code, 2);
    EXPECT_THAT(
        served.err,
        AllOf(HasSubstr("nowhere"), HasSubstr("POSTRIDER_SLOTS"), HasSubstr("2 settings"))
    );
    EXPECT_EQ(checked.code, 2);
    EXPECT_THAT(checked.out, AllOf(HasSubstr("nowhere"), HasSubstr("POSTRIDER_SLOTS")));
    EXPECT_EQ(version.code, 0);
}

TEST(command_line, check_prints_what_counts_and_hides_secrets) {
    auto done = run_with(
        {"check"},
        {{"TELEGRAM_BOT_TOKEN", "1:s3cret"}, {"POSTRIDER_SLOTS", "many"}, {"OPENAI_MODEL", "gpt-5"}}
    );

    EXPECT_EQ(done.code, 2);
    EXPECT_THAT(done.out, HasSubstr("gpt-5"));
    EXPECT_THAT(done.out, HasSubstr("OPENAI_MODEL"));
    EXPECT_THAT(done.out, HasSubstr("wrong  POSTRIDER_SLOTS"));
    EXPECT_THAT(done.out, Not(HasSubstr("s3cret")));
    EXPECT_THAT(done.out, Not(HasSubstr("log.format"))) << "nobody has set it";
    EXPECT_THAT(done.out, HasSubstr("`postrider check --all` shows them"));
    EXPECT_THAT(run_with({"check", "--all"}, {}).out, HasSubstr("log.format"));
}

// All that is not here must leave an empty machine empty.
bool may_make_a_database(std::string_view path) {
    static std::set<std::string_view> const makers{
        "serve",
        "demo",
        "migrate",
        "flows import",
        "flows import-n8n",
        "flows new",
        "token create",
        "console link",
        "bot webhook set",
        "mcp todo"};
    return makers.contains(path);
}

// As its example calls it.
std::vector<std::string> arguments_of(command const& command) {
    return tests::arguments_of(std::string(command.example.substr(0, command.example.find('\n'))));
}

TEST(command_line, what_only_looks_makes_no_database) {
    auto const folder = std::filesystem::path(testing::TempDir()) / "postrider_looks";
    std::filesystem::remove_all(folder);
    base::environment const environment{
        {"POSTRIDER_DATA", folder.string()}, {"POSTRIDER_LISTEN", "127.0.0.1:1"}};

    for (auto const* command : all_commands().commands) {
        if (may_make_a_database(command->path)) continue;
        (void)run_with(arguments_of(*command), environment);

        EXPECT_FALSE(std::filesystem::exists(folder)) << command->path;
    }
}

TEST(command_line, what_only_looks_says_how_to_start_a_database) {
    auto const folder = std::filesystem::path(testing::TempDir()) / "postrider_looks";
    std::filesystem::remove_all(folder);
    base::environment const environment{{"POSTRIDER_DATA", folder.string()}};
    // These need none, or ask a server for it.
    std::set<std::string_view> const others{
        "chat",
        "check",
        "doctor",
        "health",
        "executions show",
        "flows replay",
        "flows templates",
        "flows validate",
        "flows node-types",
        "schedules next",
        "bot webhook info",
        "bot webhook delete",
        "models list",
        "mcp tools",
        "knowledge add",
        "knowledge reembed",
        "memory reembed",
        "spam check",
        "version"};

    for (auto const* command : all_commands().commands) {
        if (may_make_a_database(command->path) || others.contains(command->path)) continue;
        auto const looked = run_with(arguments_of(*command), environment);

        EXPECT_EQ(looked.code, 1) << command->path;
        EXPECT_EQ(looked.out, "") << command->path;
        EXPECT_THAT(looked.err, HasSubstr("`postrider serve` makes it")) << command->path;
    }
    auto const checked = run_with({"check"}, environment);
    auto const examined = run_with({"doctor"}, environment);
    auto const shown = run_with({"executions", "show", "1"}, environment);

    EXPECT_EQ(checked.code, 0) << checked.out;
    EXPECT_THAT(checked.out, HasSubstr("`postrider serve` makes it"));
    EXPECT_THAT(examined.out, HasSubstr("`postrider serve` makes it"));
    EXPECT_EQ(shown.code, 1);
    EXPECT_THAT(shown.err, HasSubstr("no server of this configuration has run"));
    EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(command_line, a_folder_is_no_settings_file) {
    auto const done = run_with({"serve", "--config", testing::TempDir()});

    EXPECT_EQ(done.code, 2);
    EXPECT_THAT(done.err, HasSubstr("is a folder"));
}

TEST(command_line, version_needs_no_configuration) {
    auto done = run_with({"version", "--json"}, {{"POSTRIDER_SLOTS", "many"}});

    EXPECT_EQ(done.code, 0);
    EXPECT_THAT(done.out, HasSubstr("\"schema\":"));
}

TEST(command_line, a_bot_command_without_a_bot_says_what_is_missing) {
    auto info = run_with({"bot", "webhook", "info"});
    auto set = run_with({"bot", "webhook", "set"}, {{"TELEGRAM_BOT_TOKEN", "1:a"}});

    EXPECT_EQ(info.code, 1);
    EXPECT_THAT(info.err, HasSubstr("TELEGRAM_BOT_TOKEN"));
    EXPECT_EQ(set.code, 2);
    EXPECT_THAT(set.err, HasSubstr("POSTRIDER_PUBLIC_URL"));
}

TEST(command_line, a_todo_server_is_told_whose_tasks_it_serves) {
    auto const nobody = run_with({"mcp", "todo"});
    auto const no_number = run_with({"mcp", "todo"}, {{"TODO_USER", "ann"}});

    for (auto const& refused : {nobody, no_number}) {
        EXPECT_EQ(refused.code, 2);
        EXPECT_EQ(refused.out, "");
        EXPECT_THAT(refused.err, AllOf(HasSubstr("--user"), HasSubstr("TODO_USER")));
    }
    EXPECT_THAT(no_number.err, HasSubstr("TODO_USER is ann, which is no Telegram id"));
}

} // namespace
} // namespace postrider::cli::run_test
