#include "agent/language/reference.hpp"

#include <charconv>

namespace postrider::agent::language {

namespace {

using by = task_reference::kind;

// What is longer is no name of a task but talk.
constexpr std::size_t most_words = 16;
constexpr std::size_t most_parts = 20;
constexpr std::int64_t most_places = 20;

passage without(phrase_set const& ballast, passage words) {
    while (auto const ballast_words = ballast.at_begin(words.numbers()).words)
        words = words.without_first(ballast_words);
    return words;
}

passage without_behind(phrase_set const& ballast, passage words) {
    while (auto const ballast_words = ballast.at_end(words.numbers()).words)
        words = words.without_last(ballast_words);
    return words;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t value = 0;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool const whole = failure == std::errc() && end == text.data() + text.size() && value >= 0;
    return whole ? std::optional(value) : std::nullopt;
}

// "007" is no number of a list.
std::optional<std::int64_t> figure_in(std::string_view text) {
    bool const padded = text.size() > 1 && text.front() == '0';
    return padded ? std::nullopt : whole_number(text);
}

// "50%", "3+", "²"
bool is_part_of_amount(passage word) {
    auto const behind = word.behind_last();
    if (!behind.empty() && std::string_view("%+").find(behind.front()) != std::string_view::npos)
        return true;
    auto const written = word.text();
    return written == "¹" || written == "²" || written == "³";
}

std::optional<task_reference> numbered(compiled_language const& language, passage words) {
    auto const ordinal = language.ordinals.at_begin(words.numbers());
    if (ordinal.words > 0 && ordinal.words == words.size())
        return ordinal.value < 0 ? task_reference{by::from_end, -ordinal.value}
                                 : task_reference{by::position, ordinal.value};
    auto const marks = language.number_marks.at_begin(words.numbers()).words;
    if (auto number = number_of(language, words.without_first(marks)))
        return task_reference{by::id, *number};
    return std::nullopt;
}

bool is_doubtful(compiled_language const& language, passage words) {
    return language.doubts.contains_any(words.numbers()) ||
           language.past.contains_any(words.numbers()) ||
           language.retractions.contains_any(words.numbers());
}

// "1, 2 and 4": where the parts begin and end.
std::vector<passage> parts_of(compiled_language const& language, passage words) {
    std::vector<passage> parts;
    std::size_t begin = 0;
    for (std::size_t at = 1; at < words.size() && parts.size() < most_parts;) {
        auto const joined = language.conjunctions.at_begin(words.part(at, words.size()).numbers());
        if (joined.words > 0) {
            parts.push_back(words.part(begin, at));
            begin = at = at + joined.words;
        } else {
            if (words[at].before == gap::comma) {
                parts.push_back(words.part(begin, at));
                begin = at;
            }
            ++at;
        }
    }
    parts.push_back(words.part(begin, words.size()));
    std::erase_if(parts, [](passage const& part) { return part.empty(); });
    return parts;
}

// "5 tasks" are not task 5.
bool is_count(compiled_language const& language, passage words) {
    auto const plural = language.plurals.at_end(words.numbers()).words;
    return plural > 0 && number_of(language, words.without_last(plural)).has_value();
}

// "everything except the book": what no tool does, either.
bool names_everything(compiled_language const& language, passage words) {
    auto const everything = language.everything.at_begin(words.numbers()).words;
    if (everything == 0) return false;
    auto const rest = words.without_first(everything);
    return rest.empty() || language.exceptions.at_begin(rest.numbers()).words > 0;
}

std::optional<task_reference> reference_in(compiled_language const& language, passage words) {
    if (words.empty() || words.size() > most_words) return std::nullopt;
    if (words.size() == 1 && words[0].quoted)
        return task_reference{.by = by::title, .title = words.text(), .exact = true};
    if (names_everything(language, words)) return task_reference{by::all};
    if (language.pronouns.is(words.numbers())) return task_reference{by::mentioned};
    auto core = without(language.closings, without_behind(language.afterthoughts, words));
    core = without(language.articles, without_behind(language.closings, core));
    if (is_count(language, core)) return std::nullopt;
    if (auto reference = numbered(language, core)) return reference;
    // "task one": a word may be ballast here and a number there.
    while (auto const ballast = language.nouns.at_begin(core.numbers()).words) {
        core = core.without_first(ballast);
        if (auto reference = numbered(language, core)) return reference;
    }
    auto const named = core;
    core = without(language.articles, without_behind(language.nouns, core));
    if (language.confirmations.is(core.numbers())) core = named; // "sure thing"
    if (core.empty()) return task_reference{by::mentioned};      // "the task"
    if (core.size() == 1 && core[0].quoted)
        return task_reference{.by = by::title, .title = core.text(), .exact = true};
    if (auto reference = numbered(language, core)) return reference;
    if (language.pronouns.is(core.numbers())) return task_reference{by::mentioned};
    if (names_everything(language, core)) return task_reference{by::all};
    if (is_doubtful(language, core)) return std::nullopt;
    task_reference titled{.by = by::title, .title = core.text()};
    if (auto const parts = parts_of(language, core); parts.size() > 1)
        for (auto const& part : parts) titled.parts.push_back(part.text());
    return titled;
}

// "first two", "last three tasks": the places of the list that these are.
std::vector<task_reference> places_in(compiled_language const& language, passage words) {
    words = without_behind(language.nouns, words);
    auto const ordinal = language.ordinals.at_begin(words.numbers());
    if (ordinal.words == 0 || (ordinal.value != 1 && ordinal.value != -1)) return {};
    auto const count = number_of(language, words.without_first(ordinal.words));
    if (!count || *count < 2 || *count > most_places) return {};
    std::vector<task_reference> places;
    for (std::int64_t place = 1; place <= *count; ++place)
        places.push_back(
            ordinal.value == 1 ? task_reference{by::position, place}
                               : task_reference{by::from_end, *count + 1 - place}
        );
    return places;
}

std::vector<task_reference> ids_between(std::int64_t first, std::int64_t last) {
    std::vector<task_reference> range;
    if (last <= first || last - first >= most_places) return range;
    for (auto id = first; id <= last; ++id) range.push_back({by::id, id});
    return range;
}

// "-", with blanks around it or without.
bool is_dash(std::string_view between) {
    auto const first = between.find_first_not_of(' ');
    if (first == between.npos) return false;
    auto const sign = between.substr(first, between.find_last_not_of(' ') + 1 - first);
    return sign == "-" || sign == "–";
}

// "1-3", "2 to 5": these ids.
std::vector<task_reference> range_in(compiled_language const& language, passage words) {
    if (words.size() == 1 && !words[0].quoted) {
        std::string_view const text = words[0].text;
        auto const dash = text.find('-');
        if (dash == text.npos) return {};
        auto const first = figure_in(text.substr(0, dash));
        auto const last = figure_in(text.substr(dash + 1));
        return first && last ? ids_between(*first, *last) : std::vector<task_reference>();
    }
    for (std::size_t at = 1; at < words.size(); ++at) {
        auto const rest = words.part(at, words.size());
        auto const joining = language.ranges.at_begin(rest.numbers()).words;
        if (joining == 0 && !is_dash(words.between(at))) continue;
        auto const first = number_of(language, words.part(0, at));
        auto const last = number_of(language, rest.without_first(joining));
        if (first && last) return ids_between(*first, *last);
    }
    return {};
}

// "2 3 4". "10 000" is one number.
std::vector<task_reference> numbers_in(passage words) {
    constexpr std::size_t group = 3; // digits
    std::vector<task_reference> several;
    if (words.size() < 2 || words.size() > static_cast<std::size_t>(most_places)) return several;
    for (std::size_t at = 0; at < words.size(); ++at) {
        bool const is_figure = !words[at].quoted && !is_part_of_amount(words.part(at, at + 1));
        auto const number = is_figure ? figure_in(words[at].text) : std::nullopt;
        bool const apart =
            at == 0 || (words.between(at).find_first_not_of(" ,#") == std::string_view::npos &&
                        words[at].text.size() != group);
        if (!number || !apart) return {};
        several.push_back({by::id, *number});
    }
    return several;
}

} // namespace

std::vector<task_reference> references_in(compiled_language const& language, passage words) {
    auto plural = without(language.articles, without_behind(language.afterthoughts, words));
    plural = plural.without_first(language.nouns.at_begin(plural.numbers()).words);
    if (auto places = places_in(language, plural); !places.empty()) return places;
    if (auto range = range_in(language, plural); !range.empty()) return range;
    if (auto numbers = numbers_in(plural); !numbers.empty()) return numbers;
    auto const parts = parts_of(language, plural);
    if (parts.size() > 1) {
        std::vector<task_reference> several;
        for (auto const& part : parts) {
            auto const reference = reference_in(language, part);
            if (!reference || reference->by == by::title || reference->by == by::mentioned ||
                reference->by == by::all)
                break;
            several.push_back(*reference);
        }
        if (several.size() == parts.size()) return several;
    }
    if (auto single = reference_in(language, words)) return {*single};
    return {};
}

std::optional<std::int64_t> number_of(compiled_language const& language, passage word) {
    if (word.empty() || is_part_of_amount(word)) return std::nullopt;
    auto const named = language.numbers.at_begin(word.numbers());
    if (named.words > 0 && named.words == word.size()) return named.value;
    if (word.size() > 1 || word[0].quoted) return std::nullopt;
    return whole_number(word[0].text);
}

} // namespace postrider::agent::language
