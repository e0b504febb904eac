#include "server/cli/commands.hpp"
#include "server/cli/finding.hpp"
#include "server/cli/parser/command_line.hpp"
#include "tests/support/shell_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace postrider::cli::command_line_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

parsed_command parsed(std::vector<std::string> const& args) {
    auto line = parse_command_line(args, all_commands());
    if (!line.values) throw std::runtime_error(line.text);
    return *line.values;
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (std::size_t from = 0; from <= text.size();) {
        auto const end = std::min(text.find('\n', from), text.size());
        lines.emplace_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

TEST(command_line, every_command_has_an_example_that_is_that_command) {
    for (auto const* command : all_commands().commands)
        for (auto const& line : lines_of(command->example)) {
            auto const read = parse_command_line(tests::arguments_of(line), all_commands());

            ASSERT_TRUE(read.values) << line << "\n" << read.text;
            EXPECT_EQ(read.values->command, command) << line;
        }
}

TEST(command_line, advice_in_sql_can_be_pasted) {
    auto const advice = in_psql("select * from effect where state = 'failed'");
    auto const read = parse_command_line(tests::arguments_of(advice), all_commands());

    ASSERT_TRUE(read.values) << read.text;
    EXPECT_EQ(read.values->command->path, "psql");
    EXPECT_EQ(tests::arguments_of(advice).back(), "select * from effect where state = 'failed'");
}

TEST(command_line, advice_with_a_name_can_be_pasted_whatever_the_name) {
    for (std::string const name : {"main", "1:5:0", "two words", "it's", "a|b", "-x", ""})
        EXPECT_EQ(
            tests::arguments_of("postrider lanes resume " + in_shell(name)),
            (std::vector<std::string>{"lanes", "resume", name})
        );
    EXPECT_EQ(in_shell("1:5:0"), "1:5:0");
    EXPECT_EQ(in_shell("two words"), "'two words'");
}

// `postrider NAME …` in a message, up to what is not a word of a path.
std::vector<std::string> commands_named_in(std::string const& text) {
    static std::regex const named("`postrider ([a-z][a-z -]*)");
    std::vector<std::string> names;
    for (std::sregex_iterator found(text.begin(), text.end(), named), none; found != none; ++found)
        names.push_back((*found)[1]);
    return names;
}

// A message may put the last word of a path in itself.
bool names_a_command(std::string const& text) {
    return std::ranges::any_of(all_commands().commands, [&](auto const* command) {
        return (text + " ").starts_with(std::string(command->path) + " ") ||
               (text.ends_with(' ') && command->path.starts_with(text));
    });
}

TEST(command_line, every_command_that_a_message_names_exists) {
    std::size_t named = 0;
    for (auto const* room : {"base", "storage", "agent", "server"})
        for (auto const& entry : std::filesystem::recursive_directory_iterator(room)) {
            if (entry.path().extension() != ".cpp") continue;
            std::ifstream file(entry.path());
            std::string const text(std::istreambuf_iterator<char>(file), {});
            for (auto const& name : commands_named_in(text)) {
                ++named;
                EXPECT_TRUE(names_a_command(name)) << entry.path() << ": " << name;
            }
        }
    EXPECT_GT(named, 20u);
}

TEST(command_line, every_command_has_a_path_and_help_of_its_own) {
    std::set<std::string_view> paths;
    for (auto const* command : all_commands().commands) {
        EXPECT_TRUE(paths.insert(command->path).second) << command->path;
        auto args = tests::words_of(command->path);
        args.emplace_back("--help");
        auto const help = parse_command_line(args, all_commands());

        EXPECT_EQ(help.exit_code, 0) << command->path;
        EXPECT_THAT(help.text, HasSubstr(std::string(command->summary)));
        EXPECT_THAT(help.text, HasSubstr("Example:\n  "));
    }
}

TEST(command_line, every_group_has_a_summary_and_commands) {
    for (auto const& group : all_commands().groups) {
        auto args = tests::words_of(group.path);
        auto const alone = parse_command_line(args, all_commands());
        args.emplace_back("--help");
        auto const help = parse_command_line(args, all_commands());

        EXPECT_THAT(help.text, HasSubstr(std::string(group.summary)));
        EXPECT_EQ(alone.exit_code, 2);
        EXPECT_THAT(alone.text, HasSubstr("needs a command: "));
    }
}

// 309 digits are beyond what a double holds.
TEST(command_line, an_id_is_a_whole_number_that_fits) {
    for (auto const& id :
         {std::string("99999999999999999999"),
          std::string("0"),
          std::string("-1"),
          std::string("1.5"),
          std::string("abc"),
          std::string("7x"),
          std::string(309, '9')}) {
        auto const shown = parse_command_line({"jobs", "show", id}, all_commands());

        EXPECT_EQ(shown.exit_code, 2) << id;
        EXPECT_THAT(
            shown.text,
            HasSubstr(
                "an id is a whole number from 1 to 9223372036854775807, not " + id.substr(0, 40)
            )
        );
        EXPECT_THAT(shown.text, Not(HasSubstr(std::string(309, '9'))));
        EXPECT_EQ(std::ranges::count(shown.text, '\n'), 2) << shown.text;
    }
    EXPECT_EQ(parsed({"jobs", "show", "9223372036854775807"}).command->path, "jobs show");
    EXPECT_EQ(
        parse_command_line({"jobs", "retry", "1", "99999999999999999999"}, all_commands())
            .exit_code,
        2
    );
    EXPECT_THAT(
        parse_command_line({"jobs", "show", "--", "-1", "--data"}, all_commands()).text,
        HasSubstr("not -1")
    );
}

TEST(command_line, settings_are_flags_before_or_behind_the_command) {
    auto before = parsed({"--listen", "unix:/run/p", "--config", "a.toml", "serve"});
    auto behind = parsed({"serve", "--log-level=debug"});

    EXPECT_THAT(before.flags, ElementsAre(Pair("server.listen", "unix:/run/p")));
    EXPECT_EQ(before.config_file, "a.toml");
    EXPECT_THAT(behind.flags, ElementsAre(Pair("log.level", "debug")));
}

TEST(command_line, a_secret_is_no_flag) {
    auto const line = parse_command_line({"serve", "--telegram-bot-token", "1:a"}, all_commands());

    EXPECT_FALSE(line.values);
    EXPECT_EQ(line.exit_code, 2);
}

TEST(command_line, help_and_version_are_no_mistakes) {
    auto const help = parse_command_line({"--help"}, all_commands());
    auto const version = parse_command_line({"--version"}, all_commands());

    EXPECT_FALSE(help.values);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_THAT(help.text, AllOf(HasSubstr("jobs"), HasSubstr("POSTRIDER_LISTEN")));
    EXPECT_EQ(version.exit_code, 0);
    EXPECT_THAT(version.text, testing::MatchesRegex("postrider [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(command_line, bytes_that_are_no_text_are_told_plainly) {
    auto const line = parse_command_line({"flows", "show", "gr\xfc\xdf"}, all_commands());

    EXPECT_EQ(line.exit_code, 2);
    EXPECT_THAT(line.text, HasSubstr("argument 3 is not UTF-8: gr\xef\xbf\xbd"));
}

struct mistake {
    std::vector<std::string> args;
    char const* told;
};

class usage_mistake : public testing::TestWithParam<mistake> {};

TEST_P(usage_mistake, is_told_and_ends_with_two) {
    auto const line = parse_command_line(GetParam().args, all_commands());

    EXPECT_FALSE(line.values);
    EXPECT_EQ(line.exit_code, 2);
    EXPECT_THAT(line.text, AllOf(HasSubstr(GetParam().told), HasSubstr("--help")));
}

INSTANTIATE_TEST_SUITE_P(
    command_line,
    usage_mistake,
    testing::Values(
        mistake{{}, "postrider needs a command: serve, demo"},
        mistake{{"sevre"}, "did you mean serve?"},
        mistake{{"tail"}, "did you mean jobs tail?"},
        mistake{{"serve", "--lisen", "x"}, "did you mean --listen?"},
        mistake{{"jobs"}, "postrider jobs needs a command: list, show"},
        mistake{{"jobs", "lst"}, "did you mean list?"},
        mistake{{"lanes", "show", "7"}, "there is no command postrider lanes show\n"},
        mistake{{"jobs", "list", "--lisen", "x"}, "did you mean --listen?"},
        mistake{{"jobs", "show"}, "ID"},
        mistake{{"jobs", "show", "5", "6"}, "postrider jobs show does not take 6"},
        mistake{{"jobs", "list", "--state", "fialed"}, "did you mean failed?"},
        mistake{
            {"jobs", "list", "--limit", "0"},
            "--limit: a whole number from 1 to 1000 is needed, not 0\n"},
        mistake{{"jobs", "list", "--limit", "-1"}, "is needed, not -1\n"},
        mistake{{"jobs", "list", "--limit", "many"}, "is needed, not many\n"},
        mistake{{"jobs", "list", "--limit", "99999999999"}, "is needed, not 99999999999\n"},
        mistake{{"jobs", "rety", "7"}, "did you mean retry?"},
        mistake{{"jobs", "fork"}, "ID"},
        mistake{{"jobs", "retry", "7", "--version", "newest"}, "--version"},
        mistake{{"jobs", "send-event", "7"}, "--type"},
        mistake{{"effects", "drop", "7"}, "KEY"},
        mistake{{"lanes", "pause"}, "KEY"},
        mistake{{"bot", "pause"}, "NAME"},
        mistake{{"demo", "--say", ""}, "--say: a text is needed"},
        mistake{{"jobs", "list", "--after", ""}, "--after: a text is needed"},
        mistake{{"jobs", "list", "--before", " "}, "--before: a text is needed"},
        mistake{{"jobs", "cancel", "--after", ""}, "--after: a text is needed"},
        mistake{{"executions", "list", "--before", ""}, "--before: a text is needed"},
        mistake{
            {"schedules", "set", "daily", "--kind", "turn", "--at", ""}, "--at: a text is needed"},
        mistake{
            {"schedules", "set", "daily", "--kind", "turn", "--cron", ""},
            "--cron: a text is needed"},
        mistake{
            {"token", "create", "--user", "7", "--role", "user", "--expires-in", ""},
            "--expires-in: a text is needed"},
        mistake{{"token", "create", "--user", "7", "--role", "onwer"}, "did you mean owner?"},
        mistake{{"token", "create", "--role", "user"}, "--user"},
        mistake{{"token", "create", "--user", "0", "--role", "user"}, "not 0"},
        mistake{{"flows", "run", "a", "--only"}, "--start"},
        mistake{{"flows", "restore", "a", "--version", "1"}, "restore has no option --version"},
        mistake{
            {"flows", "run", "a", "--version", "2.9"},
            "a whole number such as 3, draft or published, not 2.9"},
        mistake{{"flows", "run", "a", "--version", "1e30"}, "not 1e30"},
        mistake{{"flows", "run", "a", "--version", "newest"}, "not newest"},
        mistake{{"flows", "restore", "a", "99999999999999999999"}, "not 99999999999999999999"},
        mistake{{"flows", "restore", "a", "0"}, "not 0"},
        mistake{{"executions", "list", "--version", "3abc"}, "not 3abc"}
    )
);

} // namespace
} // namespace postrider::cli::command_line_test
