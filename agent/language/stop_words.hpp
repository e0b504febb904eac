#pragma once
// The word that stops a turn, said alone: "stop", "Halt!", "хватит". It asks for what /stop asks for, where
// the person has a turn; where there is none it is a message like any other. Every word of the message
// must belong to it: "stop the timer" and "stop?" are no stop words. Pure.
#include <span>
#include <string_view>

namespace postrider::agent {

// A language is one value of the table.
struct stop_words {
    std::string_view language; // "en"
    std::string_view phrases;  // divided by |
    std::string_view ended;    // said of the turn that was stopped
};

std::span<stop_words const> stop_table() noexcept;

// The language whose word the message is; null: it is none.
stop_words const* find_stop_word(std::string_view message);
stop_words const* find_stop_language(std::string_view language) noexcept;

} // namespace postrider::agent
