#include "agent/language/reading/sentences.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace postrider::agent::language {

namespace {

constexpr std::array<std::string_view, 33> abbreviations{
    "dr",  "mr",   "mrs",    "ms",    "st",   "prof", "nr",   "no",  "vs",  "ca", "bzw",
    "usw", "etc",  "sr",     "sra",   "srta", "av",   "str",  "ul",  "г",   "ул", "им",
    "mme", "mlle", "approx", "aprox", "env",  "dra",  "hnos", "ing", "тел", "кв", "стр"};

// Of days and months, which go on with a number or a time of day: "dec. 3", "3 sept. at 9", "am Mo. um 9".
bool is_short_date(compiled_language const& language, passage word) {
    constexpr std::size_t longest = 5; // letters
    auto const& times = language.times;
    if (times.short_weekdays.is(word.numbers())) return true;
    auto const month = times.months.at_begin(word.numbers());
    if (month.words == 0) return false;
    auto const& text = word[0].text;
    auto const letters = std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
    auto const& full = language.source->times.months[static_cast<std::size_t>(month.value - 1)];
    return std::cmp_less_equal(letters, longest) && folded(full.front()) != text;
}

// "3", "3.12": its full stop may be that of a date.
bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
}

bool starts_with_digit(std::string_view text) {
    return text.find_first_of("0123456789") == 0;
}

// The rest of a date, in small letters: "3. um 14 Uhr". A new sentence begins with a capital letter.
bool goes_on_as_time(compiled_language const& language, passage rest) {
    auto const& times = language.times;
    auto const words = rest.numbers();
    if (times.months.at_begin(words).words > 0) return true;
    // "am 24. 12."
    bool const is_date = is_number(rest[0].text) && rest[0].text.size() <= 2;
    if (is_date && rest.between(0).starts_with('.') && rest.behind_word(0).starts_with('.'))
        return true;
    auto const first = rest.part(0, 1).text();
    if (!first.empty() && first.front() >= 'A' && first.front() <= 'Z') return false;
    // "mon. the 7th", "am 30. nächsten Monats"
    auto const inside = times.inside.at_begin(words).words;
    bool const is_day = inside > 0 && inside < rest.size() && starts_with_digit(rest[inside].text);
    return is_day || times.next.at_begin(words).words > 0 || times.at.at_begin(words).words > 0 ||
           times.on.at_begin(words).words > 0 || times.within.at_begin(words).words > 0 ||
           times.parts.at_begin(words).words > 0;
}

bool ends_at(std::span<compiled_language const> languages, passage const& message, std::size_t at) {
    auto const& word = message[at];
    bool const corrects = word.before == gap::comma &&
                          begins_with_correction(languages, message.part(at, message.size()));
    if (corrects) return true;
    if (word.before < gap::stop) return false;
    auto const& previous = message[at - 1];
    if (word.before == gap::question || previous.quoted || word.quoted) return true;
    if (std::ranges::find(abbreviations, previous.text) != abbreviations.end()) return false;
    bool const is_short = std::ranges::any_of(languages, [&](auto const& language) {
        return is_short_date(language, message.part(at - 1, at));
    });
    if (!is_number(previous.text) && !is_short) return true;
    if (is_short && starts_with_digit(word.text)) return false;
    return std::ranges::none_of(languages, [&](auto const& language) {
        return goes_on_as_time(language, message.part(at, message.size()));
    });
}

} // namespace

std::size_t corrected_at_begin(compiled_language const& language, passage words) {
    auto const found = language.corrections.at_begin(words.numbers()).words;
    bool const set_off = found > 0 && found < words.size() && words[found].before == gap::comma;
    return set_off ? found : 0;
}

bool begins_with_correction(std::span<compiled_language const> languages, passage words) {
    return std::ranges::any_of(languages, [&](auto const& language) {
        return corrected_at_begin(language, words) > 0;
    });
}

std::vector<sentence> sentences_of(
    std::span<compiled_language const> languages, passage message, gap end
) {
    std::vector<sentence> sentences;
    std::size_t begin = 0;
    for (std::size_t at = 1; at < message.size(); ++at) {
        if (!ends_at(languages, message, at)) continue;
        sentences.push_back({message.part(begin, at), message[at].before == gap::question});
        begin = at;
    }
    if (begin < message.size())
        sentences.push_back({message.part(begin, message.size()), end == gap::question});
    return sentences;
}

} // namespace postrider::agent::language
