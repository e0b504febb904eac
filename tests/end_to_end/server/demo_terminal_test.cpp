// The chat of a demo at a terminal, as a person meets it.
#include "tests/end_to_end/server/pseudo_terminal.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace postrider::tests::demo_terminal_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view left = "\x1b[D";
constexpr std::string_view up = "\x1b[A";
constexpr std::string_view interrupt = "\x03";

class demo_terminal : public testing::Test {
protected:
    ~demo_terminal() override { std::filesystem::remove_all(data_); }

    std::unique_ptr<pseudo_terminal> open() {
        environment const variables{
            {"DATABASE_URL", database_.url()}, {"POSTRIDER_DATA", data_.string()}};
        auto terminal = std::make_unique<pseudo_terminal>(
            std::vector<std::string>{built("postrider"), "demo"}, variables, 50, 100
        );
        EXPECT_TRUE(terminal->shows("you>")) << terminal->screen();
        return terminal;
    }

    std::string titles() {
        return database_.value("select coalesce(string_agg(title, ' | '), '') from postrider.task");
    }
    std::string waiting_turns() {
        return database_.value("select count(*) from postrider.job where state = 'waiting'");
    }

private:
    test_database database_;
    std::filesystem::path data_ =
        std::filesystem::temp_directory_path() / ("demo_" + std::to_string(::getpid()));
};

TEST_F(demo_terminal, edits_lines_and_knows_those_of_before) {
    auto const terminal = open();

    terminal->type("add buy mlk");
    for (int i = 0; i < 2; ++i) terminal->type(left);
    terminal->type("i\r");
    ASSERT_TRUE(terminal->shows("you> add buy milk\npostrider> Created task: buy milk\n"))
        << terminal->screen();
    ASSERT_TRUE(terminal->shows("postrider jobs show")) << terminal->screen();
    terminal->type(up);
    ASSERT_TRUE(terminal->shows("\nyou> add buy milk", std::chrono::seconds{5}));
    terminal->type(" for tea\r");
    ASSERT_TRUE(terminal->shows("Created task: buy milk for tea")) << terminal->screen();

    EXPECT_EQ(titles(), "buy milk | buy milk for tea");
    terminal->type("\x04");
    ASSERT_TRUE(terminal->shows("(end of input; the server goes on, Ctrl-C stops it)"));
    EXPECT_FALSE(terminal->is_raw());
    terminal->type(interrupt);
    EXPECT_EQ(terminal->wait(), 0);
}

TEST_F(demo_terminal, ctrl_c_clears_the_line_and_then_stops_the_server) {
    auto const terminal = open();

    terminal->type("add this");
    ASSERT_TRUE(terminal->shows("you> add this"));
    terminal->type(interrupt);
    ASSERT_TRUE(eventually([&] { return terminal->before_cursor() == "you> "; }));
    terminal->type(interrupt);

    EXPECT_EQ(terminal->wait(), 0) << terminal->screen();
    EXPECT_FALSE(terminal->is_raw());
    EXPECT_THAT(terminal->screen(), Not(HasSubstr("end of input")));
}

TEST_F(demo_terminal, a_stop_from_elsewhere_gives_the_terminal_back) {
    auto const terminal = open();
    ASSERT_TRUE(terminal->is_raw());

    terminal->signal(SIGTERM);

    EXPECT_EQ(terminal->wait(), 0) << terminal->screen();
    EXPECT_FALSE(terminal->is_raw());
}

// covers: X.16
TEST_F(demo_terminal, shows_a_question_that_is_still_open_after_a_kill) {
    {
        auto const terminal = open();
        terminal->type("add buy milk\r");
        ASSERT_TRUE(terminal->shows("Created task: buy milk\n")) << terminal->screen();
        terminal->type("delete task 1\r");
        ASSERT_TRUE(eventually([&] { return waiting_turns() == "1"; })) << terminal->screen();
        terminal->signal(SIGKILL);
        ASSERT_EQ(terminal->wait(), 128 + SIGKILL);
    }

    auto const next = open();

    EXPECT_TRUE(
        next->shows("postrider> Are you sure you want to delete task 1? (yes/no) → buy milk\n")
    ) << next->screen();
    EXPECT_TRUE(next->shows("UTC: answer yes or no, here or by postrider approvals approve"))
        << next->screen();
    next->type("yes\r");
    EXPECT_TRUE(next->shows("Deleted task: buy milk")) << next->screen();
    EXPECT_EQ(titles(), "");
}

} // namespace
} // namespace postrider::tests::demo_terminal_test
