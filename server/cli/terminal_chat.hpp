#pragma once
// A chat as a terminal shows it: the prompt, what is typed, the replies. Pure: each event gives the
// bytes to write. On a terminal a reply takes the place of the prompt's line, and the prompt comes
// again below it; elsewhere only the replies are written.
#include <string>
#include <string_view>

namespace postrider::cli {

class terminal_chat {
public:
    explicit terminal_chat(bool is_terminal) : is_terminal_(is_terminal) {}

    std::string prompt();
    // The person has ended a line.
    std::string entered();
    std::string typing();
    // Control characters of the text do not reach the terminal; its lines are indented alike.
    std::string reply(std::string_view text);
    // A faint line about what was just said; nothing elsewhere than on a terminal.
    std::string note(std::string_view text);
    // The input is over; the chat goes on without it.
    std::string closed();

private:
    std::string clear_line() const;

    bool is_terminal_;
    bool prompted_ = false;     // the prompt stands in the last line
    bool shows_typing_ = false; // the hint does
    bool open_ = true;
};

} // namespace postrider::cli
