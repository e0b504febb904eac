#include "agent/language/stop_words.hpp"

#include "agent/language/folded_words.hpp"
#include "agent/language/lexicon.hpp"
#include "agent/language/words.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace postrider::agent {

namespace {

constexpr std::size_t longest_phrase = 64; // bytes

// Where two languages share a word, the first one answers.
std::map<std::string, language::lexicon const*, std::less<>> languages_by_stop_word() {
    std::map<std::string, language::lexicon const*, std::less<>> languages;
    for (auto const& language : language::lexicons())
        for (auto const& phrase : language.stop.words)
            languages.try_emplace(folded_words(phrase), &language);
    return languages;
}

} // namespace

language::lexicon const* find_stop_word(std::string_view message) {
    if (message.size() > longest_phrase || message.starts_with('/')) return nullptr;
    static auto const languages = languages_by_stop_word();
    auto const read = words_of(message);
    bool const quotes = std::ranges::any_of(read.words, &word::quoted);
    if (read.words.empty() || read.asks || quotes) return nullptr;
    auto const entry = languages.find(folded_words(message));
    return entry == languages.end() ? nullptr : entry->second;
}

} // namespace postrider::agent
