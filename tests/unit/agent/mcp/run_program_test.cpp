// Programs that run to their end.
#include "agent/mcp/run_program.hpp"
#include "tests/support/loop.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::mcp::run_program_test {
namespace {

using namespace std::chrono_literals;

base::result<program_output> run(std::string script, std::string input, std::size_t most = 1000) {
    tests::loop loop;
    program_run talk{.input = std::move(input), .most_output = most, .deadline = 9s};
    talk.command.program = "sh";
    talk.command.arguments = {"-c", std::move(script)};
    return loop.run(run_program(std::move(talk)));
}

TEST(run_program, returns_what_the_program_wrote_and_how_it_ended) {
    auto const ran = run("cat; echo problem >&2; exit 3", "input");
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->output, "input");
    EXPECT_EQ(ran->errors, "problem\n");
    EXPECT_EQ(ran->ending, "exit code 3");
}

TEST(run_program, needs_no_reader_of_a_long_input) {
    auto const ran = run("echo done", std::string(1u << 20, 'x'));
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->output, "done\n");
}

TEST(run_program, reads_all_that_goes_to_the_standard_error_and_keeps_its_beginning) {
    auto const ran = run("yes mistake | head -c 300000 >&2; echo done", "");
    ASSERT_TRUE(ran);
    EXPECT_EQ(ran->output, "done\n");
    EXPECT_EQ(ran->errors.size(), 4096u);
}

TEST(run_program, ends_a_program_that_writes_too_much) {
    auto const ran = run("yes", "", 100'000);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error(), base::errc::too_large);
}

TEST(run_program, ends_a_program_at_its_deadline) {
    tests::loop loop;
    program_run talk{.most_output = 10, .deadline = 20ms};
    talk.command.program = "sleep";
    talk.command.arguments = {"60"};
    auto const ran = loop.run(run_program(std::move(talk)));
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error(), base::errc::timeout);
}

} // namespace
} // namespace postrider::agent::mcp::run_program_test
