// `postrider chat` at a terminal, as a person meets it.
#include "tests/end_to_end/server/child.hpp"
#include "tests/end_to_end/server/pseudo_terminal.hpp"
#include "tests/end_to_end/server/scene.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::chat_terminal_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view left = "\x1b[D";
constexpr std::string_view up = "\x1b[A";
constexpr std::string_view stop_output = "\x13";
constexpr std::string_view start_output = "\x11";

class chat_terminal : public testing::Test {
protected:
    chat_terminal() { scene_.product().start(); }

    scene& the_scene() { return scene_; }
    fs::path data() { return scene_.product().folder(); }

    static std::vector<std::string> chat() { return {built("postrider"), "chat"}; }

    std::unique_ptr<pseudo_terminal> start(
        int columns = 80, std::vector<std::string> words = chat()
    ) {
        environment const variables{
            {"POSTRIDER_LISTEN", scene_.product().address()},
            {"POSTRIDER_ADMIN_TOKEN", "test-admin"},
            {"POSTRIDER_DATA", data().string()}};
        return std::make_unique<pseudo_terminal>(std::move(words), variables, 24, columns);
    }

    std::unique_ptr<pseudo_terminal> open(int columns = 80) {
        auto terminal = start(columns);
        EXPECT_TRUE(terminal->shows("you>")) << terminal->screen();
        return terminal;
    }

    // What the model got as the person's words, all in order.
    std::string said() {
        return scene_.value("select coalesce(string_agg(content, ' | ' order by job_id), '') "
                            "from postrider.message where role = 'user'");
    }

    // All but commands, in order.
    bool turns_become(std::string const& states) {
        return scene_.comes_true(
            "select string_agg(state, ' ' order by job_id) = '" + states +
            "' from postrider.job where not input ? 'command'"
        );
    }

private:
    scene scene_;
};

TEST_F(chat_terminal, edits_lines_and_knows_those_of_before) {
    the_scene().models.always(fake_reply::saying("Hello."));
    {
        auto const terminal = open();
        terminal->type("Hllo wörld");
        for (int i = 0; i < 9; ++i) terminal->type(left);
        terminal->type("e\r");
        ASSERT_TRUE(terminal->shows("you> Hello wörld\npostrider> Hello.\nyou>"))
            << terminal->screen();
        terminal->type("\x04");
        EXPECT_EQ(terminal->wait(), 0);
        EXPECT_FALSE(terminal->is_raw());
    }

    auto const next = open();
    next->type(up);
    ASSERT_TRUE(next->shows("you> Hello wörld")) << next->screen();
    next->type("!\r");
    ASSERT_TRUE(next->shows("postrider> Hello.\nyou>")) << next->screen();

    EXPECT_EQ(said(), "Hello wörld | Hello wörld!");
    auto const history = data() / "chat_history";
    EXPECT_EQ(fs::status(history).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(chat_terminal, a_pasted_text_is_one_message) {
    the_scene().models.always(fake_reply::saying("Read."));
    std::string text;
    for (int i = 0; i < 800; ++i) text += "line " + std::to_string(i) + " of a long text\n";
    text += "ünd the last";
    auto const terminal = open();

    terminal->type("Read: ");
    terminal->paste(text);
    ASSERT_TRUE(terminal->shows("Read: [pasted 1: 801 lines,")) << terminal->screen();
    terminal->type(" (all)\r");
    ASSERT_TRUE(terminal->shows("postrider> Read.\nyou>")) << terminal->screen();

    EXPECT_EQ(said(), "Read: " + text + " (all)");
}

TEST_F(chat_terminal, an_answer_leaves_the_line_that_is_being_typed) {
    auto held = fake_reply::saying("The first answer, which is longer than the terminal is wide.");
    held.hold = true;
    the_scene().models.script(held);
    the_scene().models.always(fake_reply::saying("The second."));
    auto const terminal = open(40);

    terminal->type("first\r");
    ASSERT_TRUE(the_scene().models.wait_for_requests(1, std::chrono::seconds{20}));
    terminal->type("a second question, longer than its row is");
    terminal->type(left);
    terminal->type(left);
    ASSERT_TRUE(terminal->shows("longer than its\nrow is")) << terminal->screen();
    the_scene().models.release();
    ASSERT_TRUE(terminal->shows("wide.\nyou> a second question, longer than its\nrow is"))
        << terminal->screen();
    EXPECT_EQ(terminal->before_cursor(), "row ");
    terminal->type("this, ok: \r");

    ASSERT_TRUE(terminal->shows("postrider> The second.\nyou>")) << terminal->screen();
    EXPECT_EQ(said(), "first | a second question, longer than its row this, ok: is");
    EXPECT_THAT(terminal->screen(), Not(HasSubstr("…"))) << "a status that is over";
}

TEST_F(chat_terminal, what_is_typed_ahead_is_answered_in_order) {
    auto held = fake_reply::saying("One.");
    held.hold = true;
    the_scene().models.script(held);
    the_scene().models.always(fake_reply::saying("Two."));
    auto const terminal = open();
    terminal->type("first\r");
    ASSERT_TRUE(the_scene().models.wait_for_requests(1, std::chrono::seconds{20}));

    terminal->type("second\r");
    the_scene().models.release();

    EXPECT_TRUE(terminal->shows("you> first\npostrider> One.\nyou> second\npostrider> Two.\nyou>"))
        << terminal->screen();
}

TEST_F(chat_terminal, a_command_stops_the_turn_that_runs) {
    auto held = fake_reply::saying("One.");
    held.hold = true;
    the_scene().models.script(held);
    the_scene().models.always(fake_reply::saying("Two."));
    auto const terminal = open();
    terminal->type("first\r");
    ASSERT_TRUE(terminal->shows("postrider> One.")) << terminal->screen();

    terminal->type("second\r");
    terminal->type("/stop\r");

    EXPECT_TRUE(terminal->shows("\nyou> second\npostrider> Two.\nyou>")) << terminal->screen();
    EXPECT_THAT(terminal->screen(), HasSubstr("you> first\npostrider> One.\nyou> /stop\n"));
    EXPECT_THAT(
        terminal->screen(),
        HasSubstr("\npostrider> I stopped. Nothing more comes of that message.\n")
    );
    EXPECT_THAT(terminal->screen(), HasSubstr("\n(The turn was cancelled.)\n"));
    EXPECT_TRUE(turns_become("cancelled completed"));
    the_scene().models.release();
}

TEST_F(chat_terminal, commands_are_answered_while_a_turn_runs) {
    auto held = fake_reply::saying("Never.");
    held.hold = true;
    the_scene().models.script(held);
    auto const terminal = open();
    terminal->type("first\r");
    ASSERT_TRUE(terminal->shows("postrider> Never.")) << terminal->screen();
    terminal->type("/new@me now\r");
    // The command's answer and the turn's end come in either order.
    ASSERT_TRUE(terminal->shows("postrider> I stopped what I was doing.")) << terminal->screen();
    ASSERT_TRUE(terminal->shows("(The turn was cancelled.)")) << terminal->screen();
    EXPECT_THAT(terminal->screen(), HasSubstr("\nyou> /new@me now\n"));

    the_scene().models.script(held);
    terminal->type("second\r");
    ASSERT_TRUE(terminal->shows("you> second\npostrider> Never.")) << terminal->screen();
    terminal->type("/help\r");
    ASSERT_TRUE(
        terminal->shows("you> /help\npostrider> I am your assistant. Write to me in plain words")
    ) << terminal->screen();
    terminal->type("Stop!\r");
    EXPECT_TRUE(terminal->shows("postrider> I stopped. Nothing")) << terminal->screen();
    EXPECT_TRUE(turns_become("cancelled cancelled"));
    the_scene().models.release();
}

TEST_F(chat_terminal, what_is_typed_ahead_is_said_before_it_ends) {
    auto held = fake_reply::saying("One.");
    held.hold = true;
    the_scene().models.script(held);
    the_scene().models.always(fake_reply::saying("Two."));
    auto const terminal = open();
    terminal->type("first\r");
    ASSERT_TRUE(the_scene().models.wait_for_requests(1, std::chrono::seconds{20}));

    terminal->type("second\r/help\r\x04");
    the_scene().models.release();

    EXPECT_EQ(terminal->wait(), 0);
    EXPECT_THAT(terminal->screen(), HasSubstr("you> second\npostrider> Two."));
    EXPECT_THAT(
        terminal->screen(),
        HasSubstr("\npostrider> I am your assistant. Write to me in plain words")
    );
}

TEST_F(chat_terminal, a_failed_turn_does_not_end_it) {
    the_scene().models.script(fake_reply::failing(401));
    the_scene().models.always(fake_reply::saying("Better."));
    auto const terminal = open();

    terminal->type("first\r");
    ASSERT_TRUE(eventually([&] {
        return terminal->screen().find("postrider> ") != std::string::npos;
    }));
    terminal->type("second\r");

    EXPECT_TRUE(terminal->shows("you> second\npostrider> Better.\nyou>")) << terminal->screen();
}

// In the mode of before, the kernel keeps no more than 4,095 bytes of what is pasted at the prompt.
TEST_F(chat_terminal, takes_the_terminal_before_it_shows_the_prompt) {
    auto const terminal = start();
    terminal->type(stop_output);

    EXPECT_TRUE(eventually([&] { return terminal->is_raw(); }));
    EXPECT_EQ(terminal->before_cursor(), "");

    terminal->type(start_output);
    EXPECT_TRUE(terminal->shows("you>")) << terminal->screen();
}

TEST_F(chat_terminal, tells_of_a_message_that_is_too_long_and_goes_on) {
    the_scene().models.always(fake_reply::saying("Short."));
    auto const terminal = open();

    terminal->paste(std::string(300'000, 'x'));
    ASSERT_TRUE(terminal->shows("300000 characters]")) << terminal->screen();
    terminal->type("\r");
    ASSERT_TRUE(terminal->shows("(cannot talk: ")) << terminal->screen();
    terminal->type("hi\r");

    EXPECT_TRUE(terminal->shows("you> hi\npostrider> Short.\nyou>")) << terminal->screen();
    EXPECT_EQ(said(), "hi");
}

TEST_F(chat_terminal, control_c_clears_the_line_and_then_ends) {
    auto const terminal = open();
    terminal->type("never mind");
    ASSERT_TRUE(terminal->shows("never mind"));
    EXPECT_TRUE(terminal->is_raw());

    terminal->type("\x03");
    ASSERT_TRUE(eventually([&] { return terminal->before_cursor() == "you> "; }))
        << terminal->screen();
    terminal->type("\x03");

    EXPECT_EQ(terminal->wait(), 128 + SIGINT);
    EXPECT_FALSE(terminal->is_raw()) << "the shell gets its terminal as it was";
    EXPECT_EQ(said(), "");
}

TEST_F(chat_terminal, control_c_ends_it_where_its_shell_ignores_that) {
    auto words = chat();
    words.insert(words.begin(), {"/bin/sh", "-c", "trap '' INT; exec \"$0\" \"$@\""});
    auto const terminal = start(80, std::move(words));
    ASSERT_TRUE(terminal->shows("you>")) << terminal->screen();

    terminal->type("\x03");

    EXPECT_EQ(terminal->wait(), 0);
    EXPECT_FALSE(terminal->is_raw());
}

TEST_F(chat_terminal, gives_the_terminal_back_when_it_is_ended_from_outside) {
    auto const terminal = open();
    terminal->type("never mind");
    ASSERT_TRUE(terminal->shows("never mind"));
    ASSERT_TRUE(terminal->is_raw());

    terminal->signal(SIGTERM);

    EXPECT_EQ(terminal->wait(), 128 + SIGTERM);
    EXPECT_FALSE(terminal->is_raw());
}

TEST_F(chat_terminal, fits_a_terminal_that_changes_its_width) {
    the_scene().models.always(fake_reply::saying("Fine."));
    auto const terminal = open(80);

    terminal->resize(40);
    terminal->type("x\r");

    EXPECT_TRUE(terminal->shows("postrider> Fine.\nyou>")) << terminal->screen();
}

} // namespace
} // namespace postrider::tests::chat_terminal_test
