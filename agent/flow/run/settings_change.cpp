#include "agent/flow/run/settings_change.hpp"

#include "agent/language/folded_words.hpp"
#include "agent/language/lexicon.hpp"
#include "agent/tools/person_zone.hpp"
#include "base/ascii.hpp"
#include "base/names.hpp"

#include <array>

namespace postrider::agent::flow {

namespace {

using namespace std::string_view_literals;
using language::in_words;

constexpr std::array timezone_words{"timezone"sv, "time-zone"sv, "zone"sv, "tz"sv};
constexpr std::array language_words{"language"sv, "lang"sv};
constexpr std::array no_value_words{"auto"sv, "none"sv, "reset"sv};

// By its code or its name, in English or its own words. Null: we speak none of that name.
language::lexicon const* language_named(std::string_view name) {
    auto const lower = base::to_lower(std::string(name));
    auto const folded = folded_words(name);
    for (auto const& lexicon : language::lexicons()) {
        auto const& words = language::notices_in(lexicon.code);
        bool const is_named = lower == lexicon.code || folded == folded_words(words.own_name) ||
                              folded == folded_words(words.english_name);
        if (is_named) return &lexicon;
    }
    return nullptr;
}

bool set_zone_to(settings_change& change, std::string const& value) {
    auto const zone = read_zone(value);
    if (!zone) return false;
    change.settings.timezone = zone->name();
    change.has_timezone = true;
    return true;
}

bool set_language_to(settings_change& change, std::string_view value) {
    auto const* lexicon = language_named(value);
    if (!lexicon) return false;
    change.settings.language = lexicon->code;
    change.has_language = true;
    return true;
}

settings_change not_understood(
    settings_change change, settings_change::problem reason, std::string misunderstood_text
) {
    change.misunderstood = reason;
    change.misunderstood_text = std::move(misunderstood_text);
    return change;
}

std::string_view trimmed_argument(std::string_view text) {
    constexpr std::string_view filling = " \t\r\n=:";
    auto const begin = text.find_first_not_of(filling);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(filling) + 1 - begin);
}

std::string all_languages() {
    std::string names;
    for (auto const& lexicon : language::lexicons())
        names += (names.empty() ? "" : ", ") + language::notices_in(lexicon.code).own_name;
    return names;
}

std::string line_of_problem(settings_change const& change, language::notices const& words) {
    switch (change.misunderstood) {
    case settings_change::problem::setting:
        return in_words(words.no_such_setting, change.misunderstood_text) + "\n\n";
    case settings_change::problem::timezone:
        return in_words(words.no_such_timezone, change.misunderstood_text) + "\n\n";
    case settings_change::problem::language:
        return in_words(words.no_such_language, change.misunderstood_text, all_languages()) +
               "\n\n";
    case settings_change::problem::none:
        break;
    }
    return {};
}

std::string line_of_zone(std::string_view name, std::string_view language, base::sys_time now) {
    auto const& words = language::notices_in(language);
    auto const zone = base::find_time_zone(name);
    if (name.empty() || !zone) return words.no_timezone;
    auto const time = language::due_text(
        base::to_iso8601(std::chrono::floor<std::chrono::minutes>(now), *zone),
        language::replies_in(language)
    );
    return in_words(words.timezone_is, zone->name(), time);
}

} // namespace

settings_change change_of(storage::person_settings current, std::string_view argument) {
    settings_change change{std::move(current)};
    auto const asked = trimmed_argument(argument);
    if (asked.empty()) return change;
    using problem = settings_change::problem;
    auto const end = asked.find_first_of(" \t\r\n=:");
    auto const name = base::to_lower(std::string(asked.substr(0, end)));
    auto const value =
        std::string(end == asked.npos ? std::string_view() : trimmed_argument(asked.substr(end)));
    bool const is_zone = base::is_among(timezone_words, name);
    bool const is_language = base::is_among(language_words, name);
    if (!is_zone && !is_language) {
        if (set_language_to(change, asked) || set_zone_to(change, std::string(asked)))
            return change;
        return not_understood(std::move(change), problem::setting, std::string(asked));
    }
    if (value.empty()) return change;
    if (base::is_among(no_value_words, base::to_lower(value))) {
        (is_zone ? change.settings.timezone : change.settings.language).clear();
        (is_zone ? change.has_timezone : change.has_language) = true;
        return change;
    }
    if (is_zone ? set_zone_to(change, value) : set_language_to(change, value)) return change;
    return not_understood(
        std::move(change), is_zone ? problem::timezone : problem::language, value
    );
}

std::string settings_text(
    settings_change const& change,
    std::string_view language,
    std::string_view usual_zone,
    base::sys_time now
) {
    auto const& words = language::notices_in(language);
    auto const& settings = change.settings;
    auto text = line_of_problem(change, words);
    text += line_of_zone(
        settings.timezone.empty() ? usual_zone : std::string_view(settings.timezone), language, now
    );
    auto const* chosen = language::find_lexicon(settings.language);
    text += "\n";
    text += chosen ? in_words(words.language_is, language::notices_in(chosen->code).own_name)
                   : words.no_language;
    if (!change.has_timezone && !change.has_language) text += "\n\n" + words.how_to_set;
    return text;
}

} // namespace postrider::agent::flow
