// A command is one value and one line in a table: this one stands in no other file, and everything
// that the command line does with a command, it does with this one.
#include "server/cli/options.hpp"
#include "server/cli/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <sstream>

namespace postrider::cli::scratch_command_test {
namespace {

using testing::HasSubstr;

struct arguments {
    std::string name;
    int times = 1;
};

void declare(option_parser& parser, arguments& args) {
    add_name(parser, args.name, "Who is greeted");
    parser.add_option("--times", args.times, "How often (1)")->check(in_range(1, 3));
}

int greet(context const& in, arguments const& args) {
    for (int i = 0; i < args.times; ++i)
        in.out << (in.json ? "{\"greeted\": \"" + args.name + "\"}" : "Hello " + args.name) << '\n';
    return 0;
}

constinit command const scratch{
    .path = "people greet",
    .summary = "Say hello to somebody",
    .example = "postrider people greet Ada --times 2",
    .prepare = with_options<declare, greet>};

struct outcome {
    int code;
    std::string out;
    std::string err;
};

outcome run_with(std::vector<std::string> const& args) {
    auto table = all_commands();
    table.commands.push_back(&scratch);
    std::ostringstream out, err;
    int const code = run(args, {}, out, err, table);
    return {code, out.str(), err.str()};
}

TEST(scratch_command, runs_with_its_options) {
    auto const plain = run_with({"people", "greet", "Ada", "--times", "2"});
    auto const json = run_with({"people", "greet", "Ada", "--json"});

    EXPECT_EQ(plain.code, 0) << plain.err;
    EXPECT_EQ(plain.out, "Hello Ada\nHello Ada\n");
    EXPECT_EQ(json.out, "{\"greeted\": \"Ada\"}\n");
}

TEST(scratch_command, stands_in_the_help_with_its_options_and_its_example) {
    auto const all = run_with({"--help-all"});
    auto const group = run_with({"people", "--help"});
    auto const own = run_with({"people", "greet", "--help"});

    EXPECT_THAT(all.out, HasSubstr("Say hello to somebody"));
    EXPECT_THAT(group.out, HasSubstr("Say hello to somebody"));
    EXPECT_THAT(own.out, AllOf(HasSubstr("NAME"), HasSubstr("--times"), HasSubstr("--json")));
    EXPECT_THAT(own.out, HasSubstr("Example:\n  postrider people greet Ada --times 2"));
}

TEST(scratch_command, is_suggested_and_its_mistakes_are_told) {
    auto const slip = run_with({"people", "gret", "Ada"});
    auto const option = run_with({"people", "greet", "Ada", "--tmes", "2"});
    auto const value = run_with({"people", "greet", "Ada", "--times", "9"});
    auto const nothing = run_with({"people", "greet"});
    auto const alone = run_with({"greet", "Ada"});

    for (auto const& wrong : {slip, option, value, nothing, alone}) EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(slip.err, HasSubstr("did you mean greet?"));
    EXPECT_THAT(option.err, HasSubstr("did you mean --times?"));
    EXPECT_THAT(option.err, HasSubstr("See postrider people greet --help"));
    EXPECT_THAT(value.err, HasSubstr("--times"));
    EXPECT_THAT(nothing.err, HasSubstr("NAME"));
    EXPECT_THAT(alone.err, HasSubstr("did you mean people greet?"));
}

} // namespace
} // namespace postrider::cli::scratch_command_test
