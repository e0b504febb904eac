#include "server/cli/terminal_chat.hpp"

#include "server/cli/table.hpp"

namespace postrider::cli {

namespace {

constexpr std::string_view you = "you> ";
constexpr std::string_view bot_prompt = "postrider> ";

} // namespace

std::string terminal_chat::clear_line() const {
    return prompted_ || shows_typing_ ? "\r\x1b[K" : "";
}

std::string terminal_chat::prompt() {
    if (!is_terminal_ || !open_) return {};
    auto text = clear_line() + std::string(you);
    shows_typing_ = false;
    prompted_ = true;
    return text;
}

std::string terminal_chat::entered() {
    prompted_ = false; // the person's own Enter has moved on to the next line
    return {};
}

std::string terminal_chat::typing() {
    // Over a line in which somebody types it would only disturb.
    if (!is_terminal_ || prompted_ || shows_typing_) return {};
    shows_typing_ = true;
    return std::string(bot_prompt) + "…";
}

std::string terminal_chat::reply(std::string_view text) {
    auto shown = clear_line() + std::string(bot_prompt);
    std::string const indent(bot_prompt.size(), ' ');
    char before = ' ';
    for (char c : printable(text)) {
        if (before == '\n' && c != '\n') shown += indent;
        shown += c;
        before = c;
    }
    shown += '\n';
    prompted_ = shows_typing_ = false;
    return shown + prompt();
}

std::string terminal_chat::note(std::string_view text) {
    if (!is_terminal_) return {};
    auto shown = clear_line() + "\x1b[2m  " + printable(text) + "\x1b[0m\n";
    prompted_ = shows_typing_ = false;
    return shown + prompt();
}

std::string terminal_chat::closed() {
    if (!is_terminal_) return {};
    auto text = prompted_ ? "\n" : clear_line();
    open_ = prompted_ = shows_typing_ = false;
    return text + "(end of input; the server keeps running, Ctrl-C stops it)\n";
}

} // namespace postrider::cli
