#include "server/cli/terminal_chat.hpp"

#include <gtest/gtest.h>

namespace postrider::cli::terminal_chat_test {
namespace {

constexpr auto clear = "\r\x1b[K";

TEST(terminal_chat, asks_shows_typing_and_answers) {
    terminal_chat chat(true);

    EXPECT_EQ(chat.prompt(), "you> ");
    EXPECT_EQ(chat.entered(), "");
    EXPECT_EQ(chat.typing(), "postrider> …");
    EXPECT_EQ(chat.typing(), "");
    EXPECT_EQ(chat.reply("42"), std::string(clear) + "postrider> 42\nyou> ");
}

TEST(terminal_chat, a_reply_takes_the_place_of_the_prompt) {
    terminal_chat chat(true);
    (void)chat.prompt();

    EXPECT_EQ(chat.typing(), "");
    EXPECT_EQ(chat.reply("hello"), std::string(clear) + "postrider> hello\nyou> ");
}

TEST(terminal_chat, lines_are_indented_and_controls_do_not_pass) {
    terminal_chat chat(false);

    EXPECT_EQ(chat.reply("a\nb\x1b[2J"), "postrider> a\n           b?[2J\n");
}

TEST(terminal_chat, a_note_stands_above_the_prompt_and_on_a_terminal_only) {
    terminal_chat chat(true);
    (void)chat.reply("42");

    EXPECT_EQ(
        chat.note("calculator\x1b[2J"), std::string(clear) + "\x1b[2m  calculator?[2J\x1b[0m\nyou> "
    );
    EXPECT_EQ(terminal_chat(false).note("calculator"), "");
}

TEST(terminal_chat, elsewhere_than_on_a_terminal_only_replies_are_written) {
    terminal_chat chat(false);

    EXPECT_EQ(chat.prompt() + chat.entered() + chat.typing(), "");
    EXPECT_EQ(chat.reply("42"), "postrider> 42\n");
    EXPECT_EQ(chat.closed(), "");
}

TEST(terminal_chat, after_the_end_of_input_replies_still_come) {
    terminal_chat chat(true);
    (void)chat.prompt();

    EXPECT_EQ(chat.closed(), "\n(end of input; the server keeps running, Ctrl-C stops it)\n");
    EXPECT_EQ(chat.reply("late"), "postrider> late\n");
}

} // namespace
} // namespace postrider::cli::terminal_chat_test
