#include "agent/flow/nodes/visible_history.hpp"

#include "agent/loop/token_window.hpp"

namespace postrider::agent::flow {

visible_history visible_window(window_size size) {
    visible_history visible;
    visible.most_read = size.most();
    visible.cut = [size](std::vector<chat_message> history, message_marks const& marks) {
        return recollection{.messages = steady_window(std::move(history), marks, size)};
    };
    return visible;
}

visible_history visible_within(int tokens) {
    visible_history visible;
    auto const most = longest_token_window(tokens);
    visible.most_read = most;
    visible.cut = [tokens, most](std::vector<chat_message> history, message_marks const& marks) {
        recollection recalled;
        recalled.is_cut = tokens_of(history) > tokens || count_said(history) >= most;
        recalled.messages = token_window(std::move(history), marks, tokens);
        return recalled;
    };
    return visible;
}

} // namespace postrider::agent::flow
