// Which language a message is in.
#include "agent/language/assent.hpp"
#include "agent/language/reading/understand.hpp"
#include "agent/language/vocabulary.hpp"

#include <algorithm>

namespace postrider::agent::language {

namespace {

using known_places = std::vector<bool>; // a place for each word of a message

// Words that say little but in what language they are, and those of times and requests.
// Of a message they are there with their texts.
known_places places_known(
    compiled_language const& language, word_span words, std::vector<word> const* texts = nullptr
) {
    known_places known;
    known.reserve(words.size());
    for (std::size_t at = 0; at < words.size(); ++at) {
        auto const rest = words.subspan(at);
        auto const& times = language.times;
        known.push_back(
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
            )
        );
    }
    return known;
}

known_places places_known(foreign_language const& language, std::vector<word> const& texts) {
    known_places known;
    known.reserve(texts.size());
    for (auto const& read : texts) known.push_back(language.knows(read.text));
    return known;
}

std::size_t count(known_places const& places) {
    return static_cast<std::size_t>(std::ranges::count(places, true));
}

// What was understood is in another language only where that one has all of these words, and more: a title may
// be in any language.
bool has_more(known_places const& other, known_places const& own) {
    for (std::size_t at = 0; at < own.size(); ++at)
        if (own[at] && !other[at]) return false;
    return count(other) > count(own);
}

std::size_t neighbours_in(compiled_language const& language, word_span words) {
    return static_cast<std::size_t>(std::ranges::count_if(words, [&](word_number const& read) {
        return language.neighbours.is({&read, 1});
    }));
}

} // namespace

std::size_t known_words(compiled_language const& language, word_span words) {
    return count(places_known(language, words)) + neighbours_in(language, words);
}

std::string_view interpreter::language_of(std::string_view message) const {
    static auto const utc = base::find_time_zone("UTC").value();
    auto const list = words_of(message.substr(0, longest_message));
    word_numbers numbers;
    for (auto const& read : list.words) numbers.push_back(vocabulary_->find(read.text));
    auto const is_foreign = [&](auto const& is_it) {
        return std::ranges::any_of(vocabulary_->foreign_languages(), [&](auto const& other) {
            return is_it(places_known(other, list.words));
        });
    };
    auto const understood = understand(message, base::sys_time(), utc).language;
    if (auto const* language = vocabulary_->find_language(understood)) {
        auto const own = places_known(*language, numbers, &list.words);
        bool const is_other = is_foreign([&](auto const& other) { return has_more(other, own); });
        return is_other ? std::string_view{} : std::string_view(language->source->code);
    }
    auto const answered = assent_language_of(message.substr(0, longest_message));
    if (!answered.empty()) return answered;
    std::string_view best;
    std::size_t most = 0;
    bool is_shared = false; // by two languages
    for (auto const& language : vocabulary_->languages()) {
        auto const words_known = count(places_known(language, numbers, &list.words));
        if (words_known > 0 && words_known == most) is_shared = true;
        if (words_known <= most) continue;
        most = words_known;
        is_shared = false;
        best = language.source->code;
    }
    if (is_foreign([&](auto const& other) { return count(other) > most; })) return {};
    // A word or two of a longer message are in many languages, also in those that are not read here.
    bool const is_clear =
        !is_shared && most * 3 >= numbers.size() && (most > 1 || numbers.size() < 4);
    if (most > 0) return is_clear ? best : std::string_view{};
    auto const* const language = vocabulary_->best_known(numbers);
    return language ? std::string_view(language->source->code) : std::string_view{};
}

} // namespace postrider::agent::language
