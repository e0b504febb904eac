#pragma once
// How much of a session's messages a model sees: a number of messages, or a budget of tokens. Pure.
#include "agent/flow/parts/memory.hpp"
#include "agent/loop/window.hpp"

#include <functional>

namespace postrider::agent::flow {

struct visible_history {
    int most_read = 0;            // messages that were said: so many are read for it
    bool takes_summaries = false; // of the role system, among the messages (session_summary.hpp)
    // Of what was read, the newest last.
    std::function<recollection(std::vector<chat_message> history, message_marks const& marks)> cut;
};

visible_history visible_window(window_size size);
// It tells when there was more.
visible_history visible_within(int tokens);

} // namespace postrider::agent::flow
