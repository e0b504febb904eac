#include "server/terminal/chat_screen.hpp"

#include "base/utf8.hpp"
#include "server/terminal/one_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace postrider::terminal {

namespace {

constexpr std::string_view bot_label = "postrider> ";
constexpr std::size_t longest_call = 100; // characters

// Lines behind the first stand below it.
std::string indented(std::string_view text) {
    std::string const indent(bot_label.size(), ' ');
    std::string lines;
    for (char c : base::printable(text)) {
        lines += c;
        if (c == '\n') lines += indent;
    }
    return lines;
}

std::string text_of(chat_message const& message) {
    auto text = message.content;
    if (!message.media.empty()) text += (text.empty() ? "" : "\n") + message.media;
    std::size_t number = 0;
    for (auto const& button : message.buttons)
        text += button.data.empty() ? fmt::format("\n{}: {}", button.text, button.url)
                                    : fmt::format("\n[{}] {}", ++number, button.text);
    return text;
}

} // namespace

std::string chat_screen::sent() {
    return show_status("…");
}

std::string chat_screen::fresh_line() {
    return clear_status() + end_words();
}

std::string chat_screen::note(std::string_view text) {
    if (!is_terminal_) return {};
    return fresh_line() + fmt::format("({})\n", base::printable(text));
}

std::string chat_screen::remark(std::string_view text) {
    if (!is_terminal_) return {};
    return fresh_line() + fmt::format("\x1b[2m  {}\x1b[0m\n", base::printable(text));
}

std::string chat_screen::hear(chat_event const& event) {
    if (event.type == "words") return add_words(event.text);
    if (event.type == "step") {
        auto output = end_words();
        return output + show_status(event.tool + "…");
    }
    if (event.type == "failed" || event.type == "cancelled") return note(event.text);
    if (event.type == "away") return note("the server does not answer; trying again");
    if (event.type == "back") return note("it answers again");
    if (event.type == "done") return fresh_line();
    if (event.type != "message") return {};
    if (event.message.role == "tool") return call(event.message);
    return event.message.role == "assistant" ? say(event.message) : std::string();
}

std::string chat_screen::add_words(std::string const& text) {
    if (!is_terminal_) return {};
    auto output = clear_status();
    if (words_.empty()) output += bot_label;
    words_ += text;
    return output + indented(text);
}

// A message that was changed is shown again, or what was added to it. What was seen of it as words
// is not.
std::string chat_screen::say(chat_message const& message) {
    auto const text = text_of(message);
    auto& before = shown_[message.id];
    if (text == before) return {};
    std::string_view rest = text;
    if (!before.empty() && text.starts_with(before)) {
        rest.remove_prefix(before.size());
        rest.remove_prefix(std::min(rest.find_first_not_of('\n'), rest.size()));
    }
    before = text;
    auto output = clear_status();
    bool const was_heard = !words_.empty() && rest.starts_with(words_);
    if (was_heard)
        rest.remove_prefix(words_.size());
    else
        output += end_words() + std::string(bot_label);
    words_.clear();
    return output + indented(rest) + "\n";
}

std::string chat_screen::call(chat_message const& message) {
    if (!is_terminal_ || !shown_.try_emplace(message.id, message.content).second) return {};
    auto const line = one_line(message.tool + " " + message.arguments, longest_call);
    return fresh_line() + fmt::format("  · {}\n", line);
}

std::string chat_screen::end_words() {
    if (words_.empty()) return {};
    words_.clear();
    return "\n";
}

std::string chat_screen::show_status(std::string_view text) {
    if (!is_terminal_ || !words_.empty()) return {};
    auto output = clear_status() + std::string(bot_label) + base::printable(text);
    shows_status_ = true;
    return output;
}

std::string chat_screen::clear_status() {
    return std::exchange(shows_status_, false) ? "\r\x1b[K" : "";
}

} // namespace postrider::terminal
