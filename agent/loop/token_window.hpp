#pragma once
// The part of a history that fits a budget of tokens. Pure.
#include "agent/loop/window.hpp"

namespace postrider::agent {

inline constexpr std::int64_t bytes_of_a_token = 4; // as we count beforehand

// About what the message costs a model: a token for each four bytes, and some for the message. Languages
// of longer characters have fewer tokens than that, so nobody gets more than was budgeted.
std::int64_t tokens_of(chat_message const& message);
std::int64_t tokens_of(std::vector<chat_message> const& history);

// So many messages are read for a budget: more than it holds, however short they are.
int longest_token_window(int tokens) noexcept;

// Where token_window() begins.
std::size_t token_start(
    std::vector<chat_message> const& history, message_marks const& marks, int tokens
);

// The whole history where the budget holds it; else the newest messages within it, two thirds of it at
// least, beginning at the same message for many turns as steady_window() does. There is a mark for each
// message.
std::vector<chat_message> token_window(
    std::vector<chat_message> history, message_marks const& marks, int tokens
);

} // namespace postrider::agent
