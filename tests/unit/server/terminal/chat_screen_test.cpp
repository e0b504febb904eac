#include "server/terminal/chat_screen.hpp"

#include <gtest/gtest.h>

namespace postrider::terminal::chat_screen_test {
namespace {

std::string const clear = "\r\x1b[K";

chat_event words(std::string text) {
    return {.type = "words", .text = std::move(text)};
}

chat_event step(std::string tool = {}) {
    return {.type = "step", .tool = std::move(tool)};
}

chat_event said(std::string content, std::string id = "m", std::vector<chat_button> buttons = {}) {
    chat_message message{.id = std::move(id), .role = "assistant", .content = std::move(content)};
    message.buttons = std::move(buttons);
    return {.type = "message", .message = std::move(message)};
}

chat_event called(std::string tool, std::string arguments) {
    chat_message message{.id = "t", .role = "tool", .content = "42"};
    message.tool = std::move(tool);
    message.arguments = std::move(arguments);
    return {.type = "message", .message = std::move(message)};
}

TEST(chat_screen, shows_words_as_they_come_and_their_message_no_more) {
    chat_screen screen(true);

    EXPECT_EQ(screen.sent(), "postrider> …");
    EXPECT_EQ(screen.hear(words("It is")), clear + "postrider> It is");
    EXPECT_EQ(screen.hear(words("\n42")), "\n           42");
    EXPECT_EQ(screen.hear(said("It is\n42.")), ".\n");
    EXPECT_EQ(screen.hear({.type = "done"}), "");
}

TEST(chat_screen, shows_a_message_that_is_not_what_was_heard) {
    chat_screen screen(true);
    screen.hear(words("It m"));

    EXPECT_EQ(screen.hear(said("No.")), "\npostrider> No.\n");
}

TEST(chat_screen, shows_tools_at_work_and_what_they_were_called_with) {
    chat_screen screen(true);
    screen.sent();

    EXPECT_EQ(screen.hear(step()), clear + "postrider> …");
    EXPECT_EQ(screen.hear(step("calculator")), clear + "postrider> calculator…");
    auto const line = screen.hear(called("calculator", R"({"expression":"6*7"})"));
    EXPECT_EQ(line, clear + "  · calculator {\"expression\":\"6*7\"}\n");
    EXPECT_EQ(screen.hear(called("calculator", "")), "") << "it was shown";
}

TEST(chat_screen, begins_words_anew_behind_a_step) {
    chat_screen screen(true);
    screen.hear(words("Let me see"));

    EXPECT_EQ(screen.hear(step("calculator")), "\npostrider> calculator…");
    EXPECT_EQ(screen.hear(words("42")), clear + "postrider> 42");
}

TEST(chat_screen, numbers_the_buttons_that_answer) {
    chat_screen screen(false);

    EXPECT_EQ(
        screen.hear(
            said("Tea?", "m", {{"Yes", "q:yes"}, {"Menu", "", "https://a.b"}, {"No", "q:no"}})
        ),
        "postrider> Tea?\n           [1] Yes\n           Menu: https://a.b\n           [2] No\n"
    );
}

TEST(chat_screen, shows_of_a_changed_message_what_is_new) {
    chat_screen screen(false);
    screen.hear(said("Tea?"));

    EXPECT_EQ(screen.hear(said("Tea?")), "");
    EXPECT_EQ(screen.hear(said("Tea?\n\n→ Yes")), "postrider> → Yes\n");
    EXPECT_EQ(screen.hear(said("Never mind")), "postrider> Never mind\n");
}

TEST(chat_screen, tells_of_failures_and_outages_on_a_terminal_only) {
    chat_screen screen(true);
    chat_screen elsewhere(false);
    screen.hear(words("It"));

    EXPECT_EQ(screen.hear({.type = "failed", .text = "Sorry."}), "\n(Sorry.)\n");
    screen.sent();
    EXPECT_EQ(
        screen.hear({.type = "away"}), clear + "(the server does not answer; trying again)\n"
    );
    EXPECT_EQ(elsewhere.hear({.type = "failed", .text = "Sorry."}), "");
    EXPECT_EQ(elsewhere.hear({.type = "away"}), "");
}

TEST(chat_screen, elsewhere_than_on_a_terminal_writes_whole_messages) {
    chat_screen screen(false);

    EXPECT_EQ(screen.sent() + screen.hear(step()) + screen.hear(words("4")), "");
    EXPECT_EQ(screen.hear(called("calculator", "{}")), "");
    EXPECT_EQ(screen.hear(said("42")), "postrider> 42\n");
}

TEST(chat_screen, lets_no_control_characters_pass) {
    chat_screen screen(true);

    EXPECT_EQ(screen.hear(words("a\x1b[2J")), "postrider> a?[2J");
    EXPECT_EQ(screen.hear(said("b\x1b[2J")), "\npostrider> b?[2J\n");
    EXPECT_EQ(screen.hear(step("x\x1b[2J")), "postrider> x?[2J…");
}

TEST(chat_screen, a_remark_is_a_faint_line_on_a_terminal_alone) {
    chat_screen screen(true);
    (void)screen.sent();

    EXPECT_EQ(screen.remark("calculator\x1b[2J"), clear + "\x1b[2m  calculator?[2J\x1b[0m\n");
    EXPECT_EQ(chat_screen(false).remark("calculator"), "");
}

} // namespace
} // namespace postrider::terminal::chat_screen_test
