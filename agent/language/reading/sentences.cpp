#include "agent/language/reading/sentences.hpp"

#include "agent/language/reading/match.hpp"
#include "agent/language/reference.hpp"

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

// "lösche die 3": a request that names its task by a number.
bool names_task_by_number(
    form_match const& request, compiled_language const& language, passage words
) {
    auto const& task = request.at(slot::task);
    if (!task) return false;
    auto const named = references_in(language, words.part(task->begin, task->end));
    return !named.empty() && std::ranges::none_of(named, [](task_reference const& reference) {
        return reference.by == task_reference::kind::title;
    });
}

// Whether the words before a full stop and those behind it are two sentences: "am 3. Lösche Milch", "die 3. Ja". An
// ordinal stands before a noun, or what belongs to one: "im 3. Stock", "am 3. und 4. Dezember".
bool are_apart(compiled_language const& language, passage before, passage behind) {
    auto const numbers = behind.numbers();
    auto const joining = language.conjunctions.at_begin(numbers).words;
    if (joining > 0 && joining < behind.size() && is_number(behind[joining].text) &&
        behind.behind_word(joining).starts_with('.'))
        return false;
    auto const answers = {
        &language.confirmations,
        &language.corrections,
        &language.retractions,
        &language.afterthoughts,
        &language.doubts,
        &language.openings};
    bool const answered = std::ranges::any_of(answers, [&](phrase_set const* set) {
        return set->at_begin(numbers).words > 0;
    });
    if (answered || language.common.contains(behind[0].text)) return true;
    before = without_courtesy(language, before);
    auto const said = best_match(language, before);
    if (said && names_task_by_number(*said, language, before)) return true;
    auto const next = best_match(language, without_courtesy(language, behind));
    if (!next) return false;
    // "der 2. Versuch ist erledigt" begins with the name of a task.
    bool const begins_with_name = std::ranges::any_of(next->slots, [](auto const& range) {
        return range && range->begin == 0;
    });
    return !begins_with_name || said.has_value();
}

// Each takes a look at what stands around it.
constexpr std::size_t most_ordinals = 8; // of a message

// "3. …": the full stop behind the number may make an ordinal of it.
bool has_form_of_ordinal(
    compiled_language const& language, passage before, std::string_view between
) {
    constexpr std::size_t most_digits = 3;
    auto const& number = before[before.size() - 1];
    bool const is_plain = number.before < gap::stop && number.text.size() <= most_digits &&
                          number.text.find_first_not_of("0123456789") == std::string::npos;
    bool const is_full_stop =
        between.starts_with('.') && between.find_first_not_of(" \t", 1) == between.npos;
    return is_plain && is_full_stop && !language.source->ordinal_leads.empty();
}

// "im 3. Stock"; "neue Aufgabe 3. Kapitel lesen", where a title begins with it; and "neue Aufgabe Paket 3. Stock
// abholen", where the whole is one request. Not an hour, nor the number of a thing: "um 3. …", "Kapitel 3. …".
bool is_ordinal(compiled_language const& language, passage before, passage whole) {
    auto const lead = before.without_last(1).numbers();
    if (language.ordinal_leads.at_end(lead).words > 0) return true;
    auto const request = without_courtesy(language, before);
    auto const said = best_match(language, request);
    auto const title = said ? said->at(slot::title) : std::nullopt;
    if (title && title->begin + 1 == request.size()) return true;
    auto const& times = language.times;
    return times.at.at_end(lead).words == 0 && times.numbered.at_end(lead).words == 0 &&
           best_match(language, without_courtesy(language, whole)).has_value();
}

bool ends_at(
    std::span<compiled_language const> languages,
    passage const& message,
    std::size_t begin,
    std::size_t at,
    std::size_t& ordinals
) {
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
    auto const goes_on_as_time_from = [&](std::size_t place) {
        return std::ranges::any_of(languages, [&](auto const& language) {
            return goes_on_as_time(language, message.part(place, message.size()));
        });
    };
    if (goes_on_as_time_from(at)) return false;
    auto const before = message.part(begin, at);
    auto const of = std::ranges::find_if(languages, [&](auto const& language) {
        return has_form_of_ordinal(language, before, message.between(at));
    });
    if (of == languages.end() || ordinals == most_ordinals) return true;
    ++ordinals;
    auto const is_in_request = [&](std::size_t place) { // "… am 5. Dezember"
        auto const gap_before = message[place].before;
        return gap_before < gap::stop ||
               (gap_before == gap::stop && is_number(message[place - 1].text) &&
                goes_on_as_time_from(place));
    };
    std::size_t end = at + 1;
    while (end < message.size() && is_in_request(end)) ++end;
    return !is_ordinal(*of, before, message.part(begin, end)) ||
           are_apart(*of, before, message.part(at, end));
}

} // namespace

passage without_openings(compiled_language const& language, passage words) {
    auto const& stretches = language.stretches;
    for (;;) {
        auto const numbers = words.numbers();
        auto const opening = language.openings.at_begin(numbers).words;
        auto const stretch = std::max(
            {stretches.weeks.at_begin(numbers).words,
             stretches.weekends.at_begin(numbers).words,
             stretches.months.at_begin(numbers).words}
        );
        if (opening == 0 || stretch > opening) return words;
        words = words.without_first(opening);
    }
}

passage without_courtesy(compiled_language const& language, passage words) {
    for (auto before = words.size() + 1; words.size() < before;) {
        before = words.size();
        words = without_openings(language, words);
        words = words.without_first(language.requests.at_begin(words.numbers()).words);
    }
    return words;
}

std::size_t corrected_at_begin(compiled_language const& language, passage words) {
    auto const correction = language.corrections.at_begin(words.numbers()).words;
    bool const set_off =
        correction > 0 && correction < words.size() && words[correction].before == gap::comma;
    return set_off ? correction : 0;
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
    std::size_t ordinals = 0;
    for (std::size_t at = 1; at < message.size(); ++at) {
        if (!ends_at(languages, message, begin, at, ordinals)) continue;
        sentences.push_back({message.part(begin, at), message[at].before == gap::question});
        begin = at;
    }
    if (begin < message.size())
        sentences.push_back({message.part(begin, message.size()), end == gap::question});
    return sentences;
}

} // namespace postrider::agent::language
