#include "agent/language/reading/language_evidence.hpp"

namespace postrider::agent::language {

namespace {

// By another language.
bool is_known_better(vocabulary const& spoken, compiled_language const& language, word_span words) {
    return std::ranges::any_of(spoken.languages(), [&](auto const& other) {
        return known_words(other, words) > known_words(language, words);
    });
}

bool lacks_support(
    vocabulary const& spoken,
    compiled_language const& language,
    word_span words,
    std::string_view conversation
) {
    if (known_words(language, words) == 0 && language.source->code != conversation) return true;
    return is_known_better(spoken, language, words);
}

} // namespace

bool is_guess(
    vocabulary const& spoken, clause const& read, word_span words, std::string_view conversation
) {
    auto const& intent = read.intents.front();
    if (!intent.task.verbs.empty() || !read.matched->source->verb.empty()) return true;
    return intent.action == intent::kind::create &&
           lacks_support(spoken, *read.language, words, conversation);
}

bool is_foreign(
    vocabulary const& spoken, clause const& read, word_span words, std::string_view conversation
) {
    auto const& source = *read.matched->source;
    // "it: urgent" is no French, though "urgent" is.
    if (source.set_off) return is_known_better(spoken, *read.language, words);
    if (source.action != intent::kind::create || source.colon || read.own_words != 1) return false;
    auto const is_ordinary = [&](compiled_language const& other) {
        return &other != read.language && other.neighbours.is({&read.first, 1});
    };
    if (std::ranges::none_of(spoken.languages(), is_ordinary)) return false;
    auto const head = std::ranges::find(words, read.first);
    auto const behind = static_cast<std::size_t>(head - words.begin()) + 1;
    return lacks_support(
        spoken, *read.language, words.subspan(std::min(behind, words.size())), conversation
    );
}

} // namespace postrider::agent::language
