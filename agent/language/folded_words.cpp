#include "agent/language/folded_words.hpp"

#include "agent/language/words.hpp"

namespace postrider::agent {

std::string folded_words(std::string_view message) {
    std::string result;
    for (auto const& word : words_of(message).words) {
        auto const text =
            word.quoted ? folded(message.substr(word.begin, word.end - word.begin)) : word.text;
        if (!result.empty()) result += ' ';
        result += text;
    }
    return result;
}

} // namespace postrider::agent
