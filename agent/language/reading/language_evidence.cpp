#include "agent/language/reading/language_evidence.hpp"

namespace postrider::agent::language {

namespace {

bool lacks_support(
    vocabulary const& known,
    compiled_language const& language,
    word_span words,
    std::string_view conversation
) {
    auto const own = known_words(language, words);
    if (own == 0 && language.source->code != conversation) return true;
    return std::ranges::any_of(known.languages(), [&](auto const& other) {
        return known_words(other, words) > own;
    });
}

} // namespace

bool is_guess(
    vocabulary const& known, clause const& read, word_span words, std::string_view conversation
) {
    auto const& wish = read.intents.front();
    if (!wish.task.verbs.empty() || !read.matched->source->verb.empty()) return true;
    return wish.action == intent::kind::create &&
           lacks_support(known, *read.language, words, conversation);
}

bool is_foreign(
    vocabulary const& known, clause const& read, word_span words, std::string_view conversation
) {
    auto const& source = *read.matched->source;
    if (source.action != intent::kind::create || source.colon || read.own_words != 1) return false;
    auto const is_ordinary = [&](compiled_language const& other) {
        return &other != read.language && other.neighbours.is({&read.first, 1});
    };
    if (std::ranges::none_of(known.languages(), is_ordinary)) return false;
    auto const head = std::ranges::find(words, read.first);
    auto const behind = static_cast<std::size_t>(head - words.begin()) + 1;
    return lacks_support(
        known, *read.language, words.subspan(std::min(behind, words.size())), conversation
    );
}

} // namespace postrider::agent::language
