#pragma once
// The part of the history that a model sees. Pure.
#include "agent/models/model.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace postrider::agent {

// The newest `limit` messages, oldest first, mended where a cut or a turn that ended early left a
// tool call without its result or a result without its call: providers refuse both. Such a result
// is dropped, and such an assistant message keeps its text alone, or is dropped when it has none.
// At a cut whole tool rounds are left out, so fewer than `limit` may come back.
std::vector<chat_message> window(std::vector<chat_message> history, int limit);

// A number for each message of a history, always the same for the same message.
using message_marks = std::vector<std::uint64_t>;

// What a person or the assistant said; not a call of a tool, nor its result. As postrider.was_said().
bool was_said(chat_message const& message) noexcept;
int count_said(std::vector<chat_message> const& history) noexcept;

// How much of a history a model sees: the newest `messages` that were said, and up to `slack` more, unless
// the newest `characters` are fewer. A call's arguments and a provider's state count as their JSON.
struct window_size {
    int messages;
    std::size_t characters = std::numeric_limits<std::size_t>::max();
    int slack = 0;

    int most() const noexcept { return messages + slack; } // so many are read for it
};

// The person's message with the smallest mark from `earliest` to `latest`; without one the latest, or the
// earliest where nothing would be left.
std::size_t steadiest_start(
    std::vector<chat_message> const& history,
    message_marks const& marks,
    std::size_t earliest,
    std::size_t latest
);

// Where the window begins. With a slack it begins at the same message in many turns one after the
// other, so that what a provider has in its prompt cache stays the beginning of the prompt: of the
// messages that could be the first it is the person's with the smallest mark, and while that one is
// among them nothing moves. A history of fewer messages is kept whole. Where the characters are the
// bound, what was said has two thirds of them at least, and never more. There is a mark for each message.
std::size_t steady_start(
    std::vector<chat_message> const& history, message_marks const& marks, window_size size
);

// window(), which begins there. Calls and results have the characters that what was said leaves: the
// oldest are left out first.
std::vector<chat_message> steady_window(
    std::vector<chat_message> history, message_marks const& marks, window_size size
);

} // namespace postrider::agent
