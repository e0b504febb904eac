#include "agent/loop/speaker.hpp"

#include "agent/language/reading/understand.hpp"

#include <algorithm>

namespace postrider::agent {

namespace {

// "3" after "👍" after a request: further back a person may have changed the language.
constexpr int most_looked_at = 4;

// A command is in no language; what stands behind it may be. A text in parentheses stands for a file or a dice.
std::string_view words_of_person(std::string_view text) {
    if (text.starts_with('(') && text.ends_with(')')) return {};
    if (!text.starts_with('/')) return text;
    return text.substr(std::min(text.find_first_of(" \r\n\t"), text.size()));
}

} // namespace

bool are_same(user_id left, user_id right) noexcept {
    return left == right || left == user_id{} || right == user_id{};
}

std::string_view language_of(std::span<chat_message const> messages, user_id speaker) {
    int looked_at = 0;
    for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
        if (message->role != role::user || !are_same(message->speaker, speaker)) continue;
        auto const words = words_of_person(message->content);
        if (words.empty()) continue;
        auto const language_code = language::language_of(words);
        if (!language_code.empty()) return language_code;
        if (++looked_at == most_looked_at) break;
    }
    return {};
}

} // namespace postrider::agent
