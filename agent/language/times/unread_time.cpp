#include "agent/language/times/unread_time.hpp"

#include "agent/language/reference.hpp"
#include "agent/language/times/time_parser.hpp"
#include "agent/language/times/time_token.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::language {

namespace {

constexpr int minutes_of_a_day = 24 * 60;

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
        bool const is_span =
            read_span_token(text).has_value() || (counts && (named(first + 1) || named(first + 2)));
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

// The end of what stands before a time, or of a title.
class ending {
public:
    ending(compiled_language const& language, passage words)
        : language_(&language),
          times_(&language.times),
          words_(words) {}

    bool quoted() const { return words_.empty() || words_[words_.size() - 1].quoted; }

    // "since", "last"; "on the last" is a part of a day.
    bool is_topic() const {
        auto const topic = times_->topics.at_end(numbers()).words;
        return topic > 0 && !without(topic).is_led();
    }
    bool is_led_topic() const {
        auto const topic = times_->topics.at_end(numbers()).words;
        return topic > 0 && without(topic).is_led();
    }

    bool turns() const {
        return times_->turns.at_end(numbers()).words > 0 ||
               language_->conjunctions.at_end(numbers()).words > 0 || is_led_ordinal();
    }

    bool is_day() const {
        return times_->weekdays.at_end(numbers()).words > 0 ||
               times_->days.at_end(numbers()).words > 0;
    }

    bool is_month() const { return times_->months.at_end(numbers()).words > 0; }

    // "week after next", "nächsten"
    bool is_next() const { return times_->next.at_end(numbers()).words > 0; }

    // "two days", "the end of the month"; hours may be how long it takes.
    bool is_long_unit() const {
        auto const unit = times_->units.at_end(numbers());
        return unit.words > 0 && (unit.value < 0 || unit.value >= minutes_of_a_day);
    }

    // "next month", "mois prochain"
    bool is_next_unit() const {
        auto const unit = times_->units.at_end(numbers()).words;
        if (unit > 0) return times_->next.at_end(without(unit).numbers()).words > 0;
        auto const next =
            std::max(times_->next.at_end(numbers()).words, times_->behind.at_end(numbers()).words);
        return next > 0 && times_->units.at_end(without(next).numbers()).words > 0;
    }

    // "last friday of December", "end of the month"
    bool is_part_of_month() const {
        auto rest = *this;
        if (auto const month = times_->months.at_end(numbers()).words)
            rest = rest.without(month);
        else if (is_long_unit())
            rest = rest.without(times_->units.at_end(numbers()).words);
        else
            return false;
        if (rest.turns()) return true;
        rest = rest.without(std::max(
            times_->inside.at_end(rest.numbers()).words, times_->on.at_end(rest.numbers()).words
        ));
        if (rest.turns()) return true;
        auto day = times_->weekdays.at_end(rest.numbers()).words;
        if (day == 0) day = times_->units.at_end(rest.numbers()).words;
        if (day == 0) return false;
        rest = rest.without(day);
        return language_->ordinals.at_end(rest.numbers()).words > 0 || rest.is_topic() ||
               rest.is_led_topic() || rest.turns();
    }

    // "on the 35th", "am 35.", "le 3 brumaire", "on Smarch 3", "35-го числа"
    bool is_numbered_day(bool clock_follows) const {
        auto const mark = times_->day_marks.at_end(numbers()).words;
        if (mark > 0 && mark < words_.size() && without(mark).is_number()) return true;
        if (is_number()) {
            auto const before = without(1);
            if (before.has_day_lead()) return true;
            return clock_follows && before.is_unknown() && before.without(1).is_on();
        }
        if (!clock_follows || !is_unknown()) return false;
        auto before = without(1);
        before = before.without(times_->inside.at_end(before.numbers()).words);
        return before.is_number() && before.without(1).has_day_lead();
    }

    // "18:30", "31/12"; not "room 18:30", "python 3.12".
    bool is_figure() const {
        if (words_.empty() || times_->numbered.at_end(without(1).numbers()).words > 0) return false;
        auto const& last = words_[words_.size() - 1];
        auto const token = read_time_token(last.text);
        // "am 3.13."
        if (!token && read_decimal(last.text)) return words_.behind_last().starts_with('.');
        if (token && token->date)
            return last.text.find('.') == std::string::npos ? true
                                                            : words_.behind_last().starts_with('.');
        return token ? may_be_clock_time(last.text) : false;
    }

    // "at half past nine | in the morning", "at | noon"
    bool is_hour() const {
        constexpr std::size_t longest = 4;
        if (times_->at.at_end(numbers()).words > 0) return true;
        if (language_->numbers.at_end(numbers()).words == 0 && !is_number()) return false;
        auto const last = numbers().last(std::min(longest, numbers().size()));
        return times_->at.contains_any(last);
    }

    bool is_clock() const {
        return is_figure() && may_be_clock_time(words_[words_.size() - 1].text);
    }

    // "12", "two"
    bool is_count() const { return language_->numbers.at_end(numbers()).words > 0 || is_number(); }

    // Before "12:15" a name may be that of a book; a title may begin with any letter.
    bool may_precede_clock() const {
        if (times_->numbered.at_end(numbers()).words > 0) return false;
        auto const text = words_.part(words_.size() - 1, words_.size()).text();
        bool const is_capital = !text.empty() && text.front() >= 'A' && text.front() <= 'Z';
        return words_.size() == 1 || !is_capital;
    }

    ending without(std::size_t count) const { return {*language_, words_.without_last(count)}; }
    word_span numbers() const { return words_.numbers(); }

private:
    // "on the last"
    bool is_led_ordinal() const {
        auto const ordinal = language_->ordinals.at_end(numbers());
        return ordinal.words > 0 && without(ordinal.words).is_led();
    }

    bool is_on() const { return times_->on.at_end(numbers()).words > 0; }

    bool is_led() const {
        if (times_->day_leads.at_end(numbers()).words > 0) return true;
        auto const before = without(times_->inside.at_end(numbers()).words);
        return before.is_on() || times_->at.at_end(before.numbers()).words > 0;
    }

    // What a number behind it may be the day of.
    bool has_day_lead() const {
        if (times_->day_leads.at_end(numbers()).words > 0) return true;
        auto const mark = times_->day_marks.at_end(numbers()).words;
        if (mark > 0) return true;
        return language_->times.twelve_hours && is_led(); // "on the 35th"
    }

    bool is_number() const {
        if (words_.empty() || words_[words_.size() - 1].quoted) return false;
        auto const& text = words_[words_.size() - 1].text;
        auto const digits = text.find_first_not_of("0123456789");
        if (digits == 0) return false;
        return digits == std::string::npos
                   ? text.size() <= 2
                   : std::ranges::find(endings, text.substr(digits)) != std::ranges::end(endings);
    }

    bool is_unknown() const {
        return !words_.empty() && words_.numbers().back() == 0 &&
               !words_[words_.size() - 1].quoted &&
               words_[words_.size() - 1].text.find_first_of("0123456789") == std::string::npos;
    }

    static constexpr std::array<std::string_view, 6> endings{"st", "nd", "rd", "th", "er", "o"};

    compiled_language const* language_;
    time_phrases const* times_;
    passage words_;
};

// "pages 12 à 20"; not "le 35 à 9h", whose number is a day's, nor "salle 12 à 9h".
bool joins_range(compiled_language const& language, ending const& end, passage time) {
    auto const joining = language.ranges.at_begin(time.numbers()).words;
    if (joining == 0 || !end.is_count() || end.is_numbered_day(true)) return false;
    auto const behind = time.without_first(joining);
    return !behind.empty() && number_of(language, behind.part(0, 1)).has_value() &&
           language.times.hours.at_begin(behind.without_first(1).numbers()).words == 0;
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
           (end.is_numbered_day(false) && !end.without(1).numbers().empty());
}

neighbour before_time(
    compiled_language const& language, passage words, passage time, time_reading const& reading
) {
    ending const end(language, words);
    if (end.quoted()) return neighbour::nothing;
    auto const begin = time.numbers();
    if (end.is_topic() || joins_range(language, end, time)) return neighbour::topic;
    if (reading.is_bare && !end.may_precede_clock()) return neighbour::part;
    // "два | дня до пятницы"
    if (end.is_count() && language.times.units.at_begin(begin).words > 0) return neighbour::part;
    if (end.is_led_topic() || end.turns() || end.is_day() || end.is_figure())
        return neighbour::part;
    // "two days before friday"
    bool const is_turned = language.times.on.at_begin(time.numbers()).words > 0;
    if (end.is_long_unit() && (is_turned || !reading.names_day)) return neighbour::part;
    if (end.is_month() && reading.lacks_month) return neighbour::part;
    if (reading.names_day) return neighbour::nothing;
    bool const is_part = (reading.lacks_hour && end.is_hour()) || end.is_next() ||
                         end.is_next_unit() || end.is_numbered_day(true);
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
    return is_day || is_unit || is_month ? neighbour::part : neighbour::nothing;
}

} // namespace postrider::agent::language
