#include "agent/loop/shrink.hpp"

#include "agent/loop/token_window.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::agent {

namespace {

constexpr std::string_view shortened_note =
    "\n(The rest of this result is left out: it is too long.)";
constexpr std::size_t shortest_result = 500; // bytes

using message_iterator = std::vector<chat_message>::iterator;

std::int64_t tokens_between(message_iterator first, message_iterator last) {
    std::int64_t sum = 0;
    for (; first != last; ++first) sum += tokens_of(*first);
    return sum;
}

// The newest of them within the budget. They begin with a person's message.
std::vector<chat_message> newest_within(std::vector<chat_message> earlier, std::int64_t tokens) {
    auto first = earlier.end();
    auto start = first;
    while (first != earlier.begin()) {
        tokens -= tokens_of(*std::prev(first));
        if (tokens < 0) break;
        --first;
        if (first->role == role::user) start = first;
    }
    auto const count = static_cast<int>(earlier.end() - start);
    return window(std::move(earlier), count);
}

bool shorten(chat_message& result, double share) {
    auto const size_limit = std::max(
        shortest_result,
        static_cast<std::size_t>(static_cast<double>(result.content.size()) * share)
    );
    if (result.content.size() <= size_limit + shortened_note.size()) return false;
    result.content = base::cut_at_character(result.content, size_limit);
    result.content += shortened_note;
    return true;
}

} // namespace

bool shrink(std::vector<chat_message>& messages, std::size_t& question) {
    auto const question_message = messages.begin() + static_cast<std::ptrdiff_t>(question);
    auto const token_limit = tokens_between(messages.begin(), messages.end()) / 2;
    auto const tokens_from_question = tokens_between(question_message, messages.end());
    std::vector<chat_message> earlier(
        std::make_move_iterator(messages.begin()), std::make_move_iterator(question_message)
    );
    auto shortened = newest_within(std::move(earlier), token_limit - tokens_from_question);
    bool has_shrunk = shortened.size() < question;
    question = shortened.size();
    std::move(question_message, messages.end(), std::back_inserter(shortened));
    messages = std::move(shortened);
    if (tokens_from_question <= token_limit) return has_shrunk;
    auto const share = static_cast<double>(token_limit) / static_cast<double>(tokens_from_question);
    for (auto& message : messages)
        if (message.role == role::tool) has_shrunk = shorten(message, share) || has_shrunk;
    return has_shrunk;
}

} // namespace postrider::agent
