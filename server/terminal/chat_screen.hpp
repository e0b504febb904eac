#pragma once
// A conversation as a terminal shows it: words while they come, tools, questions with numbered
// buttons. Pure: each event gives the bytes to write. Elsewhere than on a terminal only what is said
// is written, once it is complete. Control characters of others do not reach the terminal.
#include "server/terminal/chat_event.hpp"

#include <map>
#include <string>
#include <string_view>

namespace postrider::terminal {

class chat_screen {
public:
    explicit chat_screen(bool is_terminal) : is_terminal_(is_terminal) {}

    // The person has said something, and nothing has come yet.
    std::string sent();
    std::string hear(chat_event const& event);
    // What comes next is a line of its own.
    std::string fresh_line();
    // In parentheses: what the client has to say itself.
    std::string note(std::string_view text);
    // A faint line about what was just said.
    std::string remark(std::string_view text);

private:
    std::string clear_status();
    std::string show_status(std::string_view text);
    std::string end_words();
    std::string say(chat_message const& message);
    std::string add_words(std::string const& text);
    std::string call(chat_message const& message);

    bool is_terminal_;
    bool shows_status_ = false;
    std::string words_;                        // of the line that is being written
    std::map<std::string, std::string> shown_; // messages by their ids, as they were shown last
};

} // namespace postrider::terminal
