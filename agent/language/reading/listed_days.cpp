#include "agent/language/reading/listed_days.hpp"

#include "agent/language/reading/title.hpp"
#include "agent/language/reference.hpp"
#include "agent/language/times/time_parser.hpp"

namespace postrider::agent::language {

namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::months;

class listed_days_reader {
public:
    listed_days_reader(compiled_language const& language, wall_clock const& clock)
        : language_(language),
          times_(language.times),
          clock_(clock),
          wall_(clock.zone.to_local(clock.now)),
          today_(std::chrono::floor<days>(wall_)) {}

    bool read(passage words, intent& target) const {
        auto const week = stretch_of(language_.stretches.weeks, words);
        auto const span = read_span(words);
        if (!span) return false;
        using enum list_filter;
        if (week == 0)
            target.filter = this_week;
        else if (*span == of(today_))
            target.filter = today;
        else if (*span == of(today_ + days(1)))
            target.filter = tomorrow;
        else
            target.days = span;
        if (!span->from && target.filter == all) target.filter = open;
        return true;
    }

private:
    static day_span of(local_days day) { return {day, day + days(1)}; }

    std::optional<day_span> read_span(passage words) const {
        if (auto const span = bounded(words)) return span;
        if (auto const span = between(words)) return span;
        if (auto const span = coming(words)) return span;
        return simple(words);
    }

    // Of no other times.
    std::optional<day_span> simple(passage words) const {
        auto const& stretches = language_.stretches;
        auto const monday = today_ - (std::chrono::weekday(today_) - std::chrono::Monday);
        if (auto const ahead = stretch_of(stretches.weeks, words))
            return from_now(monday + days(7 * *ahead), monday + days(7 * *ahead + 7));
        if (auto const ahead = stretch_of(stretches.weekends, words))
            return from_now(monday + days(7 * *ahead + 5), monday + days(7 * *ahead + 7));
        if (auto const ahead = stretch_of(stretches.months, words)) return month_ahead(*ahead);
        if (auto const span = named_month(words)) return span;
        if (auto const day = day_of(words)) return of(*day);
        return std::nullopt;
    }

    // Of days that have begun, what is left.
    day_span from_now(local_days from, local_days before) const {
        bool const is_current = from <= today_ && today_ < before;
        return {is_current ? today_ : from, before};
    }

    day_span month_ahead(int ahead) const {
        std::chrono::year_month_day const now(today_);
        auto const first = now.year() / now.month() + months(ahead);
        return from_now(local_days(first / 1), local_days((first + months(1)) / 1));
    }

    // The first that is read of the words as they are, and of the words without "on" and "the" beside them.
    template<class Read>
    auto bare(passage words, Read read) const -> decltype(read(words)) {
        while (!words.empty()) {
            if (auto reading = read(words)) return reading;
            auto const begin = words.numbers();
            auto const before = std::max(
                {times_.on.at_begin(begin).words,
                 times_.within.at_begin(begin).words,
                 times_.at.at_begin(begin).words,
                 times_.inside.at_begin(begin).words,
                 language_.articles.at_begin(begin).words}
            );
            auto const behind = std::max(
                {times_.behind.at_end(begin).words,
                 times_.within.at_end(begin).words,
                 times_.inside.at_end(begin).words}
            );
            if (before == 0 && behind == 0) break;
            words = before > 0 ? words.without_first(before) : words.without_last(behind);
        }
        return std::nullopt;
    }

    std::optional<int> stretch_of(phrase_set const& stretches, passage words) const {
        return bare(words, [&](passage rest) -> std::optional<int> {
            auto const match = stretches.at_begin(rest.numbers());
            return match.words == rest.size() ? std::optional(match.value) : std::nullopt;
        });
    }

    std::optional<local_days> day_of(passage words) const {
        return bare(words, [&](passage rest) { return single_day(rest); });
    }

    // "today's", "next friday's", "tomorrow night's"
    std::optional<local_days> day_of_what_follows(passage words) const {
        auto const& stretches = language_.stretches;
        auto const part = stretches.parts.at_end(words.numbers()).words;
        if (part > 0 && part < words.size() && !stretches.days.is(words.numbers()))
            return single_day(words.without_last(part));
        if (stretches.days.is(words.numbers()))
            return today_ + days(stretches.days.at_begin(words.numbers()).value);
        auto const named = words.without_first(times_.next.at_begin(words.numbers()).words);
        if (!stretches.weekdays.is(named.numbers())) return std::nullopt;
        auto const number = stretches.weekdays.at_begin(named.numbers()).value;
        auto const ahead =
            std::chrono::weekday(unsigned(number + 1) % 7) - std::chrono::weekday(today_);
        return today_ + (ahead == days(0) ? days(7) : ahead);
    }

    std::optional<local_days> single_day(passage words) const {
        if (auto const day = day_of_what_follows(words)) return day;
        auto const parts = parse_time(language_, words, true);
        if (!parts) return std::nullopt;
        // Days that have passed are no time to be reminded at.
        if (parts->days) return today_ + days(*parts->days);
        if (parts->year && parts->month && parts->month_day) {
            std::chrono::year_month_day const date{
                std::chrono::year(*parts->year),
                std::chrono::month(*parts->month),
                std::chrono::day(*parts->month_day)};
            return date.ok() ? std::optional(local_days(date)) : std::nullopt;
        }
        // Before nine, so that no day has passed; clocks may be changed in between.
        constexpr std::chrono::hours early(4);
        wall_clock const morning{clock_.now - (wall_ - today_) + early, clock_.zone};
        auto const reading = read_time(language_, words, morning, true);
        if (!reading || !reading->due) return std::nullopt;
        return std::chrono::floor<days>(clock_.zone.to_local(reading->due->at));
    }

    // "december", "in December 2026"
    std::optional<day_span> named_month(passage words) const {
        return bare(words, [&](passage rest) -> std::optional<day_span> {
            auto const month = times_.months.at_begin(rest.numbers());
            if (month.words == 0) return std::nullopt;
            auto const behind = rest.without_first(month.words);
            std::chrono::year_month_day const now(today_);
            auto const number = std::chrono::month(static_cast<unsigned>(month.value));
            auto year = now.year() + std::chrono::years(number < now.month() ? 1 : 0);
            if (!behind.empty()) {
                auto const said = number_of(language_, behind);
                if (!said || *said < 1970 || *said > 2200) return std::nullopt;
                year = std::chrono::year(static_cast<int>(*said));
            }
            auto const first = year / number;
            return from_now(local_days(first / 1), local_days((first + months(1)) / 1));
        });
    }

    // "by friday", "before next week", "from monday on", "within three days"
    std::optional<day_span> bounded(passage words) const {
        auto const& stretches = language_.stretches;
        if (auto const rest = beside(stretches.before, words))
            if (auto const end = simple(*rest)) return day_span{std::nullopt, end->from};
        if (auto const rest = beside(stretches.until, words)) {
            auto end = simple(*rest);
            if (!end) end = simple(words);
            if (end) return day_span{std::nullopt, end->before};
        }
        if (auto const rest = beside(stretches.since, words))
            if (auto const begin = simple(*rest)) return day_span{begin->from, std::nullopt};
        return std::nullopt;
    }

    static std::optional<passage> beside(phrase_set const& marks, passage words) {
        auto rest = words.without_first(marks.at_begin(words.numbers()).words);
        rest = rest.without_last(marks.at_end(rest.numbers()).words);
        return rest.empty() || rest.size() == words.size() ? std::nullopt : std::optional(rest);
    }

    // "between monday and friday", "monday-friday", "saturday and sunday"
    std::optional<day_span> between(passage words) const {
        auto const begin = words.numbers();
        auto const opening = std::max(
            {times_.bounds.at_begin(begin).words,
             times_.turns.at_begin(begin).words,
             language_.stretches.since.at_begin(begin).words}
        );
        auto const rest = words.without_first(opening);
        for (std::size_t at = 1; at < rest.size(); ++at) {
            auto const behind = rest.numbers().subspan(at);
            auto const joining = language_.conjunctions.at_begin(behind).words;
            auto const leading = std::max(
                {language_.ranges.at_begin(behind).words,
                 language_.stretches.until.at_begin(behind).words,
                 times_.until.at_begin(behind).words,
                 times_.bounds.at_begin(behind).words}
            );
            bool const dash = rest.between(at).find_first_of("-–") != std::string_view::npos;
            if (joining == 0 && leading == 0 && !dash) continue;
            auto const first = day_of(rest.part(0, at));
            auto last = day_of(rest.part(at + std::max(joining, leading), rest.size()));
            if (!first || !last) continue;
            // "from friday to monday"
            if (*last < *first) *last += days(7);
            bool const is_stretch = opening > 0 || leading > 0 || dash;
            if (*last < *first || (!is_stretch && *last != *first + days(1))) continue;
            return day_span{*first, *last + days(1)};
        }
        return std::nullopt;
    }

    // "the next three days", "los próximos 3 días", "les 3 prochains jours"
    std::optional<day_span> coming(passage words) const {
        return bare(words, [&](passage rest) -> std::optional<day_span> {
            auto const next = times_.next.at_begin(rest.numbers()).words;
            rest = rest.without_first(next);
            auto const named = language_.numbers.at_begin(rest.numbers()).words;
            auto const figures = std::min(std::max<std::size_t>(named, 1), rest.size());
            auto const count = number_of(language_, rest.part(0, figures));
            rest = rest.without_first(figures);
            auto const inner = times_.next.at_begin(rest.numbers()).words;
            rest = rest.without_first(inner);
            auto const unit = times_.units.at_begin(rest.numbers());
            constexpr int minutes_in_day = 24 * 60;
            bool const is_long = unit.value < 0 || unit.value >= minutes_in_day;
            if (next + inner == 0 || !count || *count < 1 || *count > 366 || unit.words == 0 ||
                !is_long || unit.words != rest.size())
                return std::nullopt;
            auto const number = static_cast<int>(*count);
            if (unit.value > 0)
                return day_span{today_, today_ + days(number * (unit.value / minutes_in_day) + 1)};
            auto const later = std::chrono::year_month_day(today_) + months(-unit.value * number);
            return day_span{
                today_,
                local_days(later.ok() ? later : later.year() / later.month() / std::chrono::last) +
                    days(1)};
        });
    }

    compiled_language const& language_;
    time_phrases const& times_;
    wall_clock const& clock_;
    base::local_seconds wall_;
    local_days today_;
};

// "the second list", "die 3. Liste": which list, and not which day.
bool counts_lists(compiled_language const& language, passage words) {
    words = words.without_first(language.articles.at_begin(words.numbers()).words);
    bool const is_figure =
        words.size() == 1 && words[0].text.find_first_not_of("0123456789") == std::string::npos;
    return is_figure || words.empty() || language.ordinals.is(words.numbers());
}

bool ends_as_days(compiled_language const& language, passage words) {
    auto const numbers = words.numbers();
    auto const& times = language.times;
    auto const& stretches = language.stretches;
    return times.weekdays.at_end(numbers).words > 0 || times.days.at_end(numbers).words > 0 ||
           times.months.at_end(numbers).words > 0 || times.units.at_end(numbers).words > 0 ||
           times.next.at_end(numbers).words > 0 || stretches.weeks.at_end(numbers).words > 0 ||
           stretches.weekends.at_end(numbers).words > 0 ||
           stretches.months.at_end(numbers).words > 0;
}

// "on", "after", "the", "friday"
bool begins_as_days(compiled_language const& language, passage words) {
    auto const numbers = words.numbers();
    auto const& times = language.times;
    auto const& stretches = language.stretches;
    auto const sets = {
        &times.on,
        &times.within,
        &times.at,
        &times.inside,
        &times.next,
        &times.bounds,
        &times.turns,
        &times.topics,
        &language.articles,
        &language.ordinals,
        &times.weekdays,
        &times.days,
        &times.months,
        &times.units,
        &stretches.until,
        &stretches.before,
        &stretches.since};
    return std::ranges::any_of(sets, [&](phrase_set const* set) {
        return set->at_begin(numbers).words > 0;
    });
}

// A figure may be that of a day, too.
bool speaks_of_days(compiled_language const& language, passage words) {
    for (std::size_t end = 1; end <= words.size(); ++end)
        if (ends_as_days(language, words.part(0, end)) ||
            words[end - 1].text.find_first_of("0123456789") != std::string::npos)
            return true;
    return false;
}

} // namespace

bool read_days_before_list(
    compiled_language const& language, passage time, wall_clock const& clock, intent& target
) {
    return !counts_lists(language, time) && listed_days_reader(language, clock).read(time, target);
}

bool read_listed_days(
    compiled_language const& language,
    passage clause,
    passage time,
    wall_clock const& clock,
    intent& target
) {
    if (time.empty()) return false;
    if (listed_days_reader(language, clock).read(time, target)) return true;
    bool const is_time = language::is_time(language, time, clock);
    // Behind "tasks for", not behind "tasks" alone.
    auto const before = clause.part(0, time.begin() - clause.begin()).numbers();
    auto topic = time.without_first(language.times.on.at_begin(time.numbers()).words);
    bool const is_led = topic.size() < time.size() || language.plurals.at_end(before).words == 0;
    bool const asks_of_tasks = is_led && language.plurals.contains_any(before) &&
                               !language.doubts.contains_any(clause.numbers());
    if (asks_of_tasks && !topic.empty() && !is_time && !ends_as_days(language, time)) {
        topic = topic.without_first(language.articles.at_begin(topic.numbers()).words);
        target.search = topic.text();
        return !topic.empty();
    }
    bool const begins =
        begins_as_days(language, time) || language.times.on.at_end(before).words > 0;
    if (!is_time && !(begins && speaks_of_days(language, time))) return false;
    target.unread = time.text();
    return true;
}

} // namespace postrider::agent::language
