#include "agent/language/times/unread_time.hpp"

#include "agent/language/times/day_stretch.hpp"
#include "agent/language/times/ending.hpp"

namespace postrider::agent::language {

namespace {

class unread_times {
public:
    unread_times(compiled_language const& language, passage words, wall_clock const& clock)
        : language_(language),
          times_(language.times),
          words_(words),
          clock_(clock) {}

    bool any(bool alone) const {
        for (std::size_t at = 0; at < words_.size(); ++at) {
            if (words_[at].quoted) continue;
            if (begins_unread_span(at, alone)) return true;
            if (begins_no_day(at) || ((alone || is_led(at)) && is_no_time(at))) return true;
            if (begins_no_hour(at)) return true;
        }
        return false;
    }

private:
    word_span behind(std::size_t at) const { return words_.numbers().subspan(at); }

    // "on", "at", "due by the" stand before it.
    bool is_led(std::size_t at) const {
        auto before = words_.numbers().first(at);
        if (times_.day_leads.at_end(before).words > 0) return true;
        before = before.first(at - times_.inside.at_end(before).words);
        return times_.on.at_end(before).words > 0 || times_.at.at_end(before).words > 0;
    }

    // "25:00", "2027-02-30"; "5/6", which may be either day.
    bool is_no_time(std::size_t at) const {
        auto const& text = words_[at].text;
        auto const token = read_time_token(text);
        if (!token) return has_form_of_time(text);
        return token->month_may_lead && times_.months_may_lead && (token->has_year || is_led(at));
    }

    // "30 February": a day of a month, and there is none.
    bool begins_no_day(std::size_t at) const {
        constexpr std::size_t longest = 4; // "29th of February 2027"
        auto const is_month = [&](std::size_t place) {
            return place < words_.size() && times_.months.at_begin(behind(place)).words > 0;
        };
        // "31st of April"
        auto const month =
            at + 1 + (at + 1 < words_.size() ? times_.inside.at_begin(behind(at + 1)).words : 0);
        if (!is_month(at) && !is_month(month)) return false;
        if (is_month(month) && is_number(at, 32, 99)) return true;
        for (auto count = std::min(longest, words_.size() - at); count >= 2; --count) {
            auto const part = words_.part(at, at + count);
            auto const parts = parse_time(language_, part);
            if (parts && parts->month) return !read_time(language_, part, clock_);
        }
        return false;
    }

    // "at 25 o'clock"
    bool begins_no_hour(std::size_t at) const {
        bool const led = times_.at.at_end(words_.numbers().first(at)).words > 0;
        if (led && has_form_of_hour(words_[at].text)) return !read_time_token(words_[at].text);
        if (!(led || language_.source->times.at.empty()) || !is_number(at, 25, 99)) return false;
        auto const mark = behind(at + 1);
        return mark.empty() || times_.hours.at_begin(mark).words > 0 ||
               times_.before_noon.at_begin(mark).words > 0 ||
               times_.after_noon.at_begin(mark).words > 0;
    }

    // "in 5000 hours", and "in 2 hours or so" where no other time is said.
    bool begins_unread_span(std::size_t at, bool alone) const {
        constexpr std::size_t longest = 6;
        auto const within = times_.within.at_begin(behind(at)).words;
        if (within == 0 || at + within >= words_.size()) return false;
        auto const first = at + within;
        auto const& text = words_[first].text;
        bool const counts = (!text.empty() && text.front() >= '0' && text.front() <= '9') ||
                            language_.numbers.at_begin(behind(first)).words > 0;
        auto const named = [&](std::size_t place) {
            return place < words_.size() && (times_.units.at_begin(behind(place)).words > 0 ||
                                             times_.seconds.at_begin(behind(place)).words > 0);
        };
        bool const is_span = read_span_token(text).has_value() ||
                             (counts && (named(first + 1) || named(first + 2) || named(first + 3)));
        if (!is_span || alone) return is_span;
        for (auto count = within + 1; count <= std::min(longest, words_.size() - at); ++count)
            if (read_time(language_, words_.part(at, at + count), clock_)) return false;
        return true;
    }

    bool is_number(std::size_t at, std::int64_t least, std::int64_t most) const {
        auto const number = number_of(language_, words_.part(at, at + 1));
        return number && *number >= least && *number <= most;
    }

    compiled_language const& language_;
    time_phrases const& times_;
    passage words_;
    wall_clock const& clock_;
};

// "pages 12 à 20"; not "le 35 à 9h", whose number is a day's, nor "salle 12 à 9h".
bool joins_range(compiled_language const& language, ending const& end, passage time) {
    auto const joining = language.ranges.at_begin(time.numbers()).words;
    if (joining == 0 || !end.is_count() || end.is_numbered_day(true)) return false;
    auto const behind = time.without_first(joining);
    return !behind.empty() && number_of(language, behind.part(0, 1)).has_value() &&
           language.times.hours.at_begin(behind.without_first(1).numbers()).words == 0;
}

// "am 2. | Schultag Torte backen", "le 1er | étage": the number is as often that of what follows.
bool may_count_next(compiled_language const& language, passage words, time_reading const& reading) {
    auto const with_day = words.with_word_before();
    if (!reading.names_day || !reading.lacks_month || with_day.size() == words.size()) return false;
    if (language.times.only_first_is_ordinal && words[0].before == gap::none &&
        (ordinal_day(with_day[0].text) || language.ordinals.at_begin(with_day.numbers()).words > 0))
        return language.no_titles.at_begin(words.numbers()).words == 0; // "le 1er | de payer"
    auto const between = words.between(0);
    return with_day[0].text.find_first_not_of("0123456789") == std::string::npos &&
           between.starts_with('.') && between.find_first_not_of(" \t", 1) == between.npos;
}

} // namespace

bool holds_unread_time(
    compiled_language const& language, passage words, wall_clock const& clock, bool alone
) {
    return unread_times(language, words, clock).any(alone);
}

bool ends_with_unread_time(compiled_language const& language, passage words) {
    ending const end(language, words);
    if (end.quoted() || words.size() < 2) return false;
    return end.is_next_unit() || end.is_part_of_month() || end.is_clock() ||
           end.is_stretch_of_hours(false) || end.is_unread_day_beside_hour() ||
           end.is_after_next() || end.is_shifted_day() || end.is_led_named_day() ||
           (end.is_numbered_day(false) && !end.without(1).numbers().empty());
}

bool ends_with_hours(compiled_language const& language, passage words) {
    return ending(language, words).is_stretch_of_hours(false);
}

bool holds_time_inside(compiled_language const& language, passage words, wall_clock const& clock) {
    constexpr std::size_t longest = 6;
    for (std::size_t begin = 1; begin + 1 < words.size(); ++begin) {
        auto const most = std::min(longest, words.size() - 1 - begin);
        for (auto count = most; count >= 2; --count) {
            auto const part = words.part(begin, begin + count);
            auto const reading = read_time(language, part, clock);
            if (!reading || !reading->names_day || !parse_time(language, part)->minutes) continue;
            auto const before = before_time(language, words.part(0, begin), part, *reading);
            if (before == neighbour::nothing) return true;
            break;
        }
    }
    return false;
}

bool holds_rest_inside(
    compiled_language const& language, passage words, time_reading const& reading
) {
    auto const& times = language.times;
    for (std::size_t at = 1; at + 1 < words.size(); ++at) {
        ending const before(language, words.part(0, at));
        auto const begin = words.numbers().subspan(at);
        auto const day = times.days.at_begin(begin);
        bool const is_day = day.words > 0 && day.value >= 0 && !before.is_topic();
        if (!reading.names_day && is_day) return true;
        auto const led = times.at.at_begin(begin).words;
        if (!reading.lacks_hour || led == 0 || at + led >= words.size()) continue;
        auto const token = read_time_token(words[at + led].text);
        bool const marked = times.hours.at_begin(begin.subspan(led + 1)).words > 0;
        bool const is_hour =
            token ? token->minutes.has_value()
                  : marked && number_of(language, words.part(at + led, at + led + 1));
        if (is_hour) return true;
    }
    return false;
}

neighbour before_time(
    compiled_language const& language, passage words, passage time, time_reading const& reading
) {
    ending const end(language, words);
    if (end.quoted()) return neighbour::nothing;
    auto const begin = time.numbers();
    if (!reading.names_day && end.is_hour_to()) return neighbour::part;
    if (reading.names_day && ends_stretch_of_days(language, words, time)) return neighbour::part;
    if (end.is_topic() || joins_range(language, end, time)) return neighbour::topic;
    if (reading.is_bare && !end.may_precede_clock()) return neighbour::part;
    if (!reading.lacks_hour && end.is_bound()) return neighbour::part;
    if (reading.lacks_hour && end.is_dotted_hour()) return neighbour::part;
    // "два | дня до пятницы"
    if (end.is_count() && language.times.units.at_begin(begin).words > 0) return neighbour::part;
    if (end.is_led_topic() || end.turns() || end.is_day() || end.is_figure() ||
        end.goes_on_as_named_day(time) || end.is_stretch_of_hours(true))
        return neighbour::part;
    auto const& times = language.times;
    // "von 3.11 | bis 3.12."
    bool const is_end = times.until.at_begin(begin).words > 0;
    if (end.is_dotted_date() && (is_end || !reading.names_day)) return neighbour::part;
    // "the first | monday", "01 | Dec 26"
    if ((end.is_ordinal() || end.is_next_unit()) && times.weekdays.at_begin(begin).words > 0)
        return neighbour::part;
    if (end.is_count() && times.months.at_begin(begin).words > 0) return neighbour::part;
    // "two days before friday"
    bool const is_turned = language.times.on.at_begin(time.numbers()).words > 0;
    if (end.is_long_unit() && (is_turned || !reading.names_day)) return neighbour::part;
    bool const is_plain_day =
        times.days.at_begin(begin).words > 0 || times.weekdays.at_begin(begin).words > 0;
    if (is_plain_day && end.is_counted_weeks()) return neighbour::part;
    if (end.is_month() && reading.lacks_month) return neighbour::part;
    if (reading.names_day) return neighbour::nothing;
    auto const part = times.parts.at_begin(begin);
    bool const is_named_part = part.words > 0 && part.value < stands_alone && end.is_on_something();
    bool const is_part = (reading.lacks_hour && end.is_hour()) || end.is_next() || is_named_part ||
                         end.is_next_unit() || end.is_named_day() || end.is_on_some_day() ||
                         end.is_numbered_day(true);
    return is_part ? neighbour::part : neighbour::nothing;
}

neighbour behind_time(
    compiled_language const& language, passage words, time_reading const& reading
) {
    if (words.empty() || words[0].quoted) return neighbour::nothing;
    auto const& times = language.times;
    auto const begin = words.numbers();
    bool const is_day =
        times.weekdays.at_begin(begin).words > 0 || times.days.at_begin(begin).words > 0;
    auto const next = times.next.at_begin(begin).words;
    bool const is_unit = next > 0 && times.units.at_begin(begin.subspan(next)).words > 0;
    bool const is_month = reading.lacks_month && times.months.at_begin(begin).words > 0;
    // "um 9 Uhr | 20 Leute anrufen": minutes, or what follows?
    auto const with_mark = words.with_word_before().numbers();
    auto const mark = times.hours.at_end(with_mark.first(with_mark.size() - words.size())).words;
    bool const may_be_minutes = mark > 0 && is_minutes(words[0].text);
    // "friday | week"
    constexpr int one_week = 7 * 24 * 60;
    bool const is_shifted = reading.names_day && times.units.at_begin(begin).value >= one_week;
    // "tomorrow | from 3 to 4"
    auto const bound = times.bounds.at_begin(begin).words;
    bool const is_range = bound > 0 && bound + 1 < words.size() &&
                          ending(language, words.part(0, bound + 1)).is_count() &&
                          times.through.at_begin(begin.subspan(bound + 1)).words > 0;
    // "at 9 | or 10"
    auto const turn = std::max(times.turns.at_begin(begin).words, bound);
    bool const is_stretch = !reading.lacks_hour && turn > 0 && turn < words.size() &&
                            ending(language, words.part(0, turn + 1)).is_count();
    bool const is_part = is_day || is_unit || is_month || may_be_minutes || is_shifted ||
                         is_range || is_stretch || may_count_next(language, words, reading);
    return is_part ? neighbour::part : neighbour::nothing;
}

} // namespace postrider::agent::language
