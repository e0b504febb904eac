// Which language a message is in.
#include "agent/language/assent.hpp"
#include "agent/language/reading/understand.hpp"
#include "agent/language/vocabulary.hpp"

#include <algorithm>

namespace postrider::agent::language {

namespace {

// Words that say little but in what language they are, and those of times and requests.
// Of a message they are there with their texts.
std::size_t language_words(
    compiled_language const& language, word_span words, std::vector<word> const* texts = nullptr
) {
    std::size_t count = 0;
    for (std::size_t at = 0; at < words.size(); ++at) {
        auto const rest = words.subspan(at);
        auto const& times = language.times;
        bool const is_known =
            (texts && language.common.contains((*texts)[at].text)) ||
            language.forms_by_key.contains(words[at]) ||
            std::ranges::any_of(
                std::initializer_list<phrase_set const*>{
                    &language.articles,
                    &language.pronouns,
                    &language.conjunctions,
                    &language.openings,
                    &language.closings,
                    &language.doubts,
                    &language.no_titles,
                    &language.nouns,
                    &language.numbers,
                    &language.confirmations,
                    &language.negations,
                    &times.on,
                    &times.at,
                    &times.days,
                    &times.weekdays,
                    &times.months,
                    &times.parts,
                    &times.units},
                [&](phrase_set const* phrases) { return phrases->at_begin(rest).words > 0; }
            );
        count += is_known;
    }
    return count;
}

std::size_t neighbours_in(compiled_language const& language, word_span words) {
    return static_cast<std::size_t>(std::ranges::count_if(words, [&](word_number const& read) {
        return language.neighbours.is({&read, 1});
    }));
}

} // namespace

std::size_t known_words(compiled_language const& language, word_span words) {
    return language_words(language, words) + neighbours_in(language, words);
}

std::string_view interpreter::language_of(std::string_view message) const {
    static auto const utc = base::find_time_zone("UTC").value();
    if (auto const read = understand(message, base::sys_time(), utc); !read.language.empty())
        return read.language;
    auto const answered = assent_language_of(message.substr(0, longest_message));
    if (!answered.empty()) return answered;
    auto const list = words_of(message.substr(0, longest_message));
    word_numbers numbers;
    for (auto const& read : list.words) numbers.push_back(vocabulary_->find(read.text));
    std::string_view best;
    std::size_t most = 0;
    bool is_shared = false; // by two languages
    for (auto const& language : vocabulary_->languages()) {
        auto const known = language_words(language, numbers, &list.words);
        if (known > 0 && known == most) is_shared = true;
        if (known <= most) continue;
        most = known;
        is_shared = false;
        best = language.source->code;
    }
    // A word or two of a longer message are in many languages, also in those that are not read here.
    bool const is_clear =
        !is_shared && most * 3 >= numbers.size() && (most > 1 || numbers.size() < 4);
    if (most > 0) return is_clear ? best : std::string_view{};
    auto const* const known = vocabulary_->best_known(numbers);
    return known ? std::string_view(known->source->code) : std::string_view{};
}

} // namespace postrider::agent::language
