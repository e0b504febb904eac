#include "agent/language/reading/sentences.hpp"

#include <array>

namespace postrider::agent::language {

namespace {

constexpr std::array<std::string_view, 22> abbreviations{
    "dr",  "mr",  "mrs", "ms",  "st",   "prof", "nr",  "no", "vs", "ca", "bzw",
    "usw", "etc", "sr",  "sra", "srta", "av",   "str", "ul", "г",  "ул", "им"};

// Of months and days, which go on with a number or a time of day: "dec. 3", "3 sept. at 9".
constexpr std::array<std::string_view, 40> short_dates{
    "jan",  "feb", "mar",  "apr", "jun", "jul", "aug", "sep",  "sept",  "oct",
    "nov",  "dec", "okt",  "dez", "ene", "abr", "ago", "dic",  "janv",  "fev",
    "fevr", "avr", "juil", "янв", "фев", "мар", "апр", "авг",  "сен",   "сент",
    "окт",  "ноя", "дек",  "mon", "tue", "wed", "thu", "thur", "thurs", "fri"};

// "3", "3.12": its full stop may be that of a date.
bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789.") == text.npos;
}

// The rest of a date, in small letters: "3. um 14 Uhr". A new sentence begins with a capital letter.
bool goes_on_as_time(compiled_language const& language, passage rest) {
    auto const& times = language.times;
    auto const words = rest.numbers();
    if (times.months.at_begin(words).words > 0) return true;
    auto const first = rest.part(0, 1).text();
    if (!first.empty() && first.front() >= 'A' && first.front() <= 'Z') return false;
    return times.at.at_begin(words).words > 0 || times.on.at_begin(words).words > 0 ||
           times.within.at_begin(words).words > 0 || times.parts.at_begin(words).words > 0;
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
    bool const is_short = std::ranges::find(short_dates, previous.text) != short_dates.end();
    if (!is_number(previous.text) && !is_short) return true;
    if (is_short && word.text.find_first_of("0123456789") == 0) return false;
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
