#include "server/cli/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace postrider::cli {
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

TEST(command_line, every_wrong_setting_is_told_before_anything_starts) {
    auto done = run_with({"serve"}, {{"POSTRIDER_SLOTS", "many"}, {"POSTRIDER_LOG_LEVEL", "loud"}});

    EXPECT_EQ(done.code, 2);
    EXPECT_EQ(done.out, "");
    EXPECT_THAT(
        done.err,
        AllOf(
            HasSubstr("POSTRIDER_SLOTS"), HasSubstr("POSTRIDER_LOG_LEVEL"), HasSubstr("2 settings")
        )
    );
}

TEST(command_line, a_fault_that_does_not_exist_is_told) {
    auto done = run_with({"serve"}, {{"POSTRIDER_FAULTS", "nowhere:kill"}});

    EXPECT_EQ(done.code, 2);
    EXPECT_THAT(done.err, HasSubstr("nowhere"));
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

} // namespace
} // namespace postrider::cli
