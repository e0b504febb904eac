#include "agent/loop/token_window.hpp"

#include "base/json/text.hpp"

namespace postrider::agent {

namespace {

constexpr std::int64_t least_tokens = 8; // of a message without a word

// The message with which the newest ones begin that the budget holds.
std::size_t first_within(std::vector<chat_message> const& history, std::int64_t tokens) {
    auto at = history.size();
    while (at > 0) {
        tokens -= tokens_of(history[at - 1]);
        if (tokens < 0) break;
        --at;
    }
    return at;
}

} // namespace

std::int64_t tokens_of(chat_message const& message) {
    auto bytes = message.content.size();
    for (auto const& call : message.calls)
        bytes += call.name.size() + base::json_text(call.arguments).size();
    for (auto const& document : message.documents)
        bytes += document.name.size() + document.text.size();
    if (!message.provider_state.is_null()) bytes += base::json_text(message.provider_state).size();
    return least_tokens + static_cast<std::int64_t>(bytes) / bytes_of_a_token;
}

std::int64_t tokens_of(std::vector<chat_message> const& history) {
    std::int64_t sum = 0;
    for (auto const& message : history) sum += tokens_of(message);
    return sum;
}

int longest_token_window(int tokens) noexcept {
    return static_cast<int>(tokens / least_tokens + 1);
}

std::size_t token_start(
    std::vector<chat_message> const& history, message_marks const& marks, int tokens
) {
    auto const earliest = first_within(history, tokens);
    if (earliest == 0) return 0;
    auto const latest = first_within(history, std::int64_t{tokens} * 2 / 3);
    return steadiest_start(history, marks, earliest, latest);
}

std::vector<chat_message> token_window(
    std::vector<chat_message> history, message_marks const& marks, int tokens
) {
    auto const length = history.size() - token_start(history, marks, tokens);
    return window(std::move(history), static_cast<int>(length));
}

} // namespace postrider::agent
