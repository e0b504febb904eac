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

// As many messages as a steady window of at least `limit` may have: so many are read for it.
int longest_window(int limit) noexcept;

// How much of a history a model sees: that many of its newest messages at least, unless the newest
// `characters` are fewer. A call's arguments and a provider's state count as their JSON.
struct window_size {
    int messages;
    std::size_t characters = std::numeric_limits<std::size_t>::max();
};

// The person's message with the smallest mark from `earliest` to `latest`; without one the latest, or the
// earliest where nothing would be left.
std::size_t steadiest_start(
    std::vector<chat_message> const& history,
    message_marks const& marks,
    std::size_t earliest,
    std::size_t latest
);

// Where a window of at least the newest `limit` messages begins, so that it begins at the same
// message in many turns one after the other and what a provider has in its prompt cache stays the
// beginning of the prompt. Of the messages that could be the first it is the person's with the
// smallest mark: while that one is among them nothing moves. Never longer than longest_window(); a
// history shorter than that is kept whole. With a bound of characters the window has two thirds of
// them at least, and never more. There is a mark for each message.
std::size_t steady_start(
    std::vector<chat_message> const& history, message_marks const& marks, window_size size
);

// window(), which begins there.
std::vector<chat_message> steady_window(
    std::vector<chat_message> history, message_marks const& marks, window_size size
);

} // namespace postrider::agent
