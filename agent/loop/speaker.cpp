#include "agent/loop/speaker.hpp"

#include "agent/language/reading/understand.hpp"

namespace postrider::agent {

namespace {

// "3" after "👍" after a request: further back a person may have changed the language.
constexpr int most_looked_at = 4;

} // namespace

bool are_same(user_id left, user_id right) noexcept {
    return left == right || left == user_id{} || right == user_id{};
}

std::string_view language_of(std::span<chat_message const> messages, user_id speaker) {
    int looked_at = 0;
    for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
        if (message->role != role::user || !are_same(message->speaker, speaker)) continue;
        auto const language_code = language::language_of(message->content);
        if (!language_code.empty()) return language_code;
        if (++looked_at == most_looked_at) break;
    }
    return {};
}

} // namespace postrider::agent
