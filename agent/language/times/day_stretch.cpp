#include "agent/language/times/day_stretch.hpp"

#include "agent/language/times/ending.hpp"

#include <re2/re2.h>

namespace postrider::agent::language {

namespace {

bool divides_days(std::string_view between) {
    auto const first = between.find_first_not_of(" .");
    if (first == between.npos) return false;
    auto const sign = between.substr(first, between.find_last_not_of(' ') + 1 - first);
    return sign == "-" || sign == "–" || sign == "—";
}

// The words end with such a day: "3", "the third", "3.12.", "monday". `numbered`: the last day of the stretch has the
// month of a number.
bool ends_with_first_day(compiled_language const& language, passage words, bool numbered) {
    ending const end(language, words);
    if (end.quoted()) return false;
    if (end.is_day() || end.is_month()) return true;
    if (language.times.numbered.at_end(end.without(1).numbers()).words > 0) return false;
    auto const& last = words[words.size() - 1].text;
    auto const token = read_time_token(last);
    if (token && token->date) return true;
    if (!numbered) return false;
    auto const ordinal = language.ordinals.at_end(words.numbers());
    return (ordinal.words > 0 && ordinal.value > 0) || ordinal_day(last) || end.is_count();
}

// "December 3 | to 5", "January | to March"
bool goes_on_in_month(compiled_language const& language, passage words, passage behind) {
    ending const end(language, words);
    if (end.is_count() && end.without(1).is_month())
        return !behind.empty() && ending(language, behind.part(0, 1)).is_count();
    return end.is_month() && language.times.months.at_begin(behind.numbers()).words > 0;
}

// "3-5 | December", "December 3-5"
bool joins_days_of_month(compiled_language const& language, passage words, passage behind) {
    static RE2 const days(R"([0-3]?\d-[0-3]?\d)");
    ending const end(language, words);
    if (end.quoted() || !RE2::FullMatch(words[words.size() - 1].text, days)) return false;
    auto const inside = language.times.inside.at_begin(behind.numbers()).words;
    return end.without(1).is_month() ||
           language.times.months.at_begin(behind.without_first(inside).numbers()).words > 0;
}

bool begins_with_last_day(compiled_language const& language, passage words, passage before) {
    constexpr std::size_t longest = 5; // "the 5th of December 2026"
    for (auto count = std::min(longest, words.size()); count > 0; --count) {
        auto const parts = parse_time(language, words.part(0, count));
        bool const is_day = parts && (parts->month || parts->weekday || parts->days);
        if (is_day && ends_with_first_day(language, before, parts->month.has_value())) return true;
    }
    return false;
}

} // namespace

bool ends_stretch_of_days(compiled_language const& language, passage words, passage time) {
    auto const& through = language.times.through;
    auto const joint = through.at_end(words.numbers()).words;
    bool const is_joined =
        joint > 0 || divides_days(time.between(0)) || through.at_begin(time.numbers()).words > 0;
    auto const parts = parse_time(language, time);
    return is_joined && parts &&
           ends_with_first_day(language, words.without_last(joint), parts->month.has_value());
}

bool holds_stretch_of_days(compiled_language const& language, passage words) {
    for (std::size_t at = 1; at <= words.size(); ++at) {
        auto const before = words.part(0, at);
        auto const behind = words.without_first(at);
        if (joins_days_of_month(language, before, behind)) return true;
        if (behind.empty()) return false;
        auto const joint = language.times.through.at_begin(behind.numbers()).words;
        if (joint == 0 && !divides_days(behind.between(0))) continue;
        auto const last = behind.without_first(joint);
        if (goes_on_in_month(language, before, last) ||
            begins_with_last_day(language, last, before))
            return true;
    }
    return false;
}

} // namespace postrider::agent::language
