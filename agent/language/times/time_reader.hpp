#pragma once
// Reads the words of a time, part by part, each of which says one thing only. Private to the parser of
// times: time_parser.cpp, time_spans.cpp and time_hours.cpp. Pure.
#include "agent/language/reference.hpp"
#include "agent/language/times/time_parser.hpp"
#include "agent/language/times/time_token.hpp"

#include <algorithm>
#include <utility>

namespace postrider::agent::language {

class time_reader {
public:
    time_reader(compiled_language const& language, passage words, bool led)
        : language_(language),
          times_(language.times),
          words_(words),
          is_asked_(led),
          is_led_(led),
          is_day_led_(led) {}

    std::optional<time_parts> parse() {
        if (is_number_of_something()) return std::nullopt;
        while (at_ < words_.size())
            if (!step()) return std::nullopt;
        if (!is_complete()) return std::nullopt;
        return parts_;
    }

private:
    word_span rest() const { return words_.numbers().subspan(at_); }

    // "room 14:30"
    bool is_number_of_something() const {
        auto const with_word = words_.with_word_before();
        auto const before = with_word.numbers().first(with_word.size() - words_.size());
        auto const& first = words_[0].text;
        return !first.empty() && first.front() >= '0' && first.front() <= '9' &&
               times_.numbered.at_end(before).words > 0;
    }

    // The first that reads the next words does; longer phrases come first.
    bool step() {
        bool const was_led = std::exchange(is_led_, false);
        bool const was_day_led = std::exchange(is_day_led_, false);
        was_until_ = std::exchange(is_until_, false);
        was_bound_ = std::exchange(is_bound_, false);
        if (read_half() || read_joint() || read_number(was_led, was_day_led) || read_day() ||
            read_part() || read_weekday(was_led) || read_month() ||
            read_named_day(was_led || was_day_led) || read_unit_with_next() || read_next() ||
            read_within() || read_marker())
            return true;
        return read_filler(was_led, was_day_led);
    }

    template<class T>
    bool set(std::optional<T>& target, T value, std::size_t words) {
        if (target) return false;
        target = value;
        at_ += words;
        filler_last_ = false;
        return true;
    }

    // "tomorrow"; behind a day "Morgen" is a part of it
    bool read_day();

    bool read_part() {
        auto const match = times_.parts.at_begin(rest());
        if (match.words == 0) return false;
        if (match.value >= is_of_today) {
            if (!parts_.days) parts_.days = 0;
        } else if (match.value < stands_alone && match.words == 1 && words_.size() == 1) {
            return false;
        }
        return set(parts_.part, match.value % stands_alone, match.words);
    }

    bool read_weekday(bool led) {
        auto weekday = times_.weekdays.at_begin(rest());
        // "am Do.", "ven. à 9h"; not "voir la mer."
        bool const is_short =
            (led || at_ + 1 < words_.size()) && words_.behind_word(at_).starts_with('.');
        if (weekday.words == 0 && is_short) weekday = times_.short_weekdays.at_begin(rest());
        return weekday.words > 0 && set(parts_.weekday, weekday.value, weekday.words);
    }

    bool read_month() {
        auto const month = times_.months.at_begin(rest());
        if (month.words == 0) return false;
        if (!set(parts_.month, static_cast<unsigned>(month.value), month.words)) return false;
        // "December 24"
        if (!parts_.month_day && at_ < words_.size())
            if (auto const day = month_day_at(at_)) return set(parts_.month_day, *day, 1);
        return true;
    }

    std::optional<unsigned> month_day_at(std::size_t at) const {
        auto const& text = words_[at].text;
        if (auto const ordinal = ordinal_day(text)) return ordinal;
        auto const number = number_of(language_, words_.part(at, at + 1));
        if (number && *number >= 1 && *number <= 31) return static_cast<unsigned>(*number);
        auto const named = language_.ordinals.at_begin(words_.numbers().subspan(at));
        if (named.words == 1 && named.value > 0) return static_cast<unsigned>(named.value);
        return std::nullopt;
    }

    // "the first of December", "on the first".
    bool read_named_day(bool led) {
        auto const named = language_.ordinals.at_begin(rest());
        if (named.words == 0 || named.value < 1 || parts_.month_day) return false;
        if (times_.only_first_is_ordinal && named.value > 1) return false; // "le 2e étage"
        auto const behind = rest().subspan(named.words);
        auto const mark = times_.day_marks.at_begin(behind).words; // "первого числа"
        if (!begins_month(behind) && !led && mark == 0) return false;
        return set(parts_.month_day, static_cast<unsigned>(named.value), named.words + mark);
    }

    // "of December" as well.
    bool begins_month(word_span words) const {
        return times_.months.at_begin(words.subspan(times_.inside.at_begin(words).words)).words > 0;
    }

    // "next week", "next month"; before a day it changes nothing.
    bool read_next();

    // "semaine prochaine", before or behind a day of the week
    bool read_unit_with_next();

    bool read_within();

    // "1h30 from now" is no time of day after all.
    void take_clock_as_span();

    // "1 hour and 30 minutes", "an hour and a half"
    bool read_joint();

    bool begins_span(std::size_t at) const;

    bool is_unit(word_span words) const;

    bool read_half();

    bool read_number(bool led, bool day_led) {
        if (words_[at_].quoted) return false;
        if (read_span() || read_dotted_clock() || read_part_of_hour() || read_named_clock() ||
            read_named_span())
            return true;
        if ((day_led || parts_.weekday) && read_divided_date()) return true;
        if (auto const token = read_time_token(words_[at_].text)) return take(*token, led, day_led);
        auto const named = language_.numbers.at_begin(rest());
        auto const words = std::max<std::size_t>(named.words, 1);
        auto const number = number_of(language_, words_.part(at_, at_ + words));
        if (!number || *number > 10'000) return read_ordinal(led || day_led);
        return take_number(static_cast<int>(*number), words, day_led);
    }

    // "half past nine", "halb zehn", "ten to nine", "a las nueve y media"
    bool read_part_of_hour();

    // "в полвосьмого", "ڈیڑھ بجے"
    bool read_named_clock();

    // "через полчаса"
    bool read_named_span();

    // "um 18.30 Uhr"
    bool read_dotted_clock();

    // "15 Uhr 30", "15 часов 30 минут"
    void read_minutes_of_hour();

    // "24. 12."
    bool read_divided_date();

    // "1h30" behind "in", "45min", "1.5 hours".
    bool read_span();

    bool read_ordinal(bool led) {
        auto const day = ordinal_day(words_[at_].text);
        bool const is_named = led || parts_.month || parts_.weekday;
        if (!day || !(is_named || begins_month(rest().subspan(1)))) return false;
        return set(parts_.month_day, *day, 1);
    }

    // "friday 17:00", "at 17:00"; not "John 3:16 tomorrow".
    bool is_clock_time(time_token const& token, bool led) const {
        bool const dated = parts_.days || parts_.weekday || parts_.month_day || parts_.part ||
                           parts_.span || parts_.span_months || token.date;
        auto const behind = rest().subspan(1);
        if (token.names_hours || at_pending_ || led || dated || begins_mark(behind)) return true;
        auto const part = times_.parts.at_begin(behind);
        return part.words > 0 && part.value < stands_alone && may_be_clock_time(words_[at_].text);
    }

    bool begins_mark(word_span words) const {
        return times_.hours.at_begin(words).words > 0 ||
               times_.before_noon.at_begin(words).words > 0 ||
               times_.after_noon.at_begin(words).words > 0;
    }

    bool take(time_token const& token, bool led, bool day_led) {
        if (token.minutes && !is_clock_time(token, led)) {
            constexpr std::size_t two_digits_each = 5;
            auto const& text = words_[at_].text;
            parts_.is_bare =
                words_.size() == 1 && text.size() == two_digits_each && may_be_clock_time(text);
            if (!parts_.is_bare) return false;
        }
        if (token.date) {
            if (parts_.month_day || parts_.month) return false;
            if (token.needs_lead && !is_led_date(led, day_led)) return false;
            if (token.month_may_lead && times_.months_may_lead) return false;
            parts_.month_day = static_cast<unsigned>(token.date->day());
            parts_.month = static_cast<unsigned>(token.date->month());
            if (token.has_year) parts_.year = static_cast<int>(token.date->year());
        }
        if (token.minutes && !set_time(*token.minutes)) return false;
        parts_.before_noon |= token.before_noon;
        parts_.after_noon |= token.after_noon;
        parts_.names_half |= token.names_half;
        ++at_;
        filler_last_ = false;
        at_pending_ = false;
        return true;
    }

    // "am 3.12", "3.12."; not "run tests on 3.12", "bis 3.12", which may be a version.
    bool is_led_date(bool led, bool day_led) const {
        bool const dotted = words_[at_].text.find('.') != std::string::npos;
        if (parts_.weekday || words_.behind_word(at_).starts_with('.')) return true;
        return dotted ? day_led && !was_until_ : led || day_led;
    }

    bool is_dated() const { return parts_.days || parts_.weekday || parts_.month_day; }

    // "am Freitag" as well.
    bool begins_day(word_span words) const {
        words = words.subspan(times_.on.at_begin(words).words);
        return times_.weekdays.at_begin(words).words > 0 || times_.days.at_begin(words).words > 0;
    }

    bool set_time(int minutes) {
        if (parts_.minutes || was_bound_) return false;
        parts_.minutes = minutes;
        return true;
    }

    bool take_number(int number, std::size_t words, bool day_led) {
        auto const behind = rest().subspan(words);
        bool const may_be_year = parts_.month && parts_.month_day && !parts_.year;
        if (may_be_year && number >= 2000) return set(parts_.year, number, words);
        if (auto const unit = times_.units.at_begin(behind); unit.words > 0 && !at_pending_)
            return add_span(number, unit.value, words + unit.words);
        if (auto const second = times_.seconds.at_begin(behind).words; second > 0 && !at_pending_)
            return add_exact(std::chrono::seconds(number), words + second);
        if (auto const half = half_behind(behind); half.words > 0 && !at_pending_ && number <= 1000)
            return add_exact(
                std::chrono::seconds((2 * number + 1) * half.value * 30), words + half.words
            );
        if (begins_month(behind))
            return number >= 1 && number <= 31 && !parts_.month_day &&
                   set(parts_.month_day, static_cast<unsigned>(number), words);
        if (auto const mark = times_.day_marks.at_begin(behind).words; mark > 0)
            return number >= 1 && number <= 31 &&
                   set(parts_.month_day, static_cast<unsigned>(number), words + mark);
        bool const marked = begins_mark(behind);
        bool const in_part = parts_.part && !parts_.minutes && at_ > 0;
        bool const beside_day = is_dated() || parts_.span || begins_day(behind);
        bool const is_hour = at_pending_ && (is_asked_ || beside_day || !times_.hours_need_mark);
        bool const is_limit = was_until_ && beside_day;
        if ((marked || is_hour || is_limit || in_part) && number <= 24 && set_time(number * 60)) {
            parts_.names_half |= number > 12;
            at_ += words;
            at_pending_ = filler_last_ = false;
            return true;
        }
        // "1 Dec 26"
        if (may_be_year && number > 24 && number < 100 && words_[at_].text.size() == 2)
            return set(parts_.year, 2000 + number, words);
        if (!day_led || number < 1 || number > 31 || words > 1) return false;
        needs_clock_ = !words_.behind_word(at_).starts_with('.');
        return set(parts_.month_day, static_cast<unsigned>(number), words);
    }

    // "one and a half hours": the unit in minutes.
    phrase_set::match half_behind(word_span words) const;

    bool add_span(int count, int unit, std::size_t words);

    bool add_exact(std::chrono::seconds length, std::size_t words);

    // What stands behind a time of day.
    bool read_marker() {
        auto const mark = [&](phrase_set const& marks, bool& said) {
            auto const match = marks.at_begin(rest());
            if (match.words == 0 || !parts_.minutes) return false;
            said = parts_.names_half = true;
            at_ += match.words;
            filler_last_ = false;
            return true;
        };
        return mark(times_.before_noon, parts_.before_noon) ||
               mark(times_.after_noon, parts_.after_noon) || read_hours();
    }

    bool read_hours() {
        auto const mark = times_.hours.at_begin(rest());
        if (mark.words == 0 || !parts_.minutes) return false;
        at_ += mark.words;
        filler_last_ = false;
        read_minutes_of_hour();
        return true;
    }

    bool read_filler(bool was_led, bool was_day_led) {
        auto const lead = times_.day_leads.at_begin(rest()).words;
        if (auto const clock_lead = times_.at.at_begin(rest()); clock_lead.words > lead) {
            at_pending_ = true;
            at_ += clock_lead.words;
            filler_last_ = is_led_ = true;
            return true;
        }
        // "el día 5"
        if (auto const mark = times_.day_marks.at_begin(rest()).words; mark > 0) {
            auto const place = std::min(at_ + mark, words_.size());
            if (place == words_.size()) return false;
            auto const number = number_of(language_, words_.part(place, place + 1));
            return number && *number >= 1 && *number <= 31 &&
                   set(parts_.month_day, static_cast<unsigned>(*number), mark + 1);
        }
        if (auto const postposition = times_.behind.at_begin(rest());
            postposition.words > 0 && at_ > 0) {
            at_ += postposition.words;
            return true;
        }
        auto const inside = times_.inside.at_begin(rest()).words;
        auto const leading = std::max(times_.on.at_begin(rest()).words, lead);
        if (leading > 0 && leading >= inside) {
            is_day_led_ = lead == leading;
            is_until_ = times_.until.at_begin(rest()).words == leading;
            is_bound_ = times_.bounds.at_begin(rest()).words == leading;
            at_ += leading;
            // An article alone makes no time of "the 3:16".
            is_led_ = inside < leading;
            return filler_last_ = true;
        }
        // "del lunes" makes a thing of the time.
        bool const may_begin = language_.articles.at_begin(rest()).words > 0 &&
                               (is_asked_ || times_.topics.at_begin(rest()).words == 0);
        if (inside == 0 || (at_ == 0 && !may_begin)) return false;
        at_ += inside;
        is_led_ = was_led;
        is_day_led_ = was_day_led;
        return filler_last_ = true;
    }

    bool is_complete() const {
        if (filler_last_) return false;
        bool const spanned = parts_.span || parts_.span_months;
        if (spanned && !within_) return false;
        bool const dated = parts_.month && parts_.month_day;
        if ((parts_.month || parts_.year) && !dated) return false;
        if (parts_.month_day && !dated && needs_clock_ && !parts_.minutes) return false;
        int const days = int(parts_.days.has_value()) + int(parts_.weekday.has_value()) +
                         int(parts_.month_day.has_value());
        if (days > 1 && !(parts_.weekday && days == 2)) return false;
        bool const is_in_week = parts_.week && parts_.weekday && days == 1 && !parts_.span_months &&
                                parts_.span == std::chrono::days(7);
        if (is_in_week) return true;
        if ((needs_weekday_ && !is_asked_) || (spanned && days > 0)) return false;
        return spanned || days > 0 || parts_.minutes || parts_.part;
    }

    compiled_language const& language_;
    time_phrases const& times_;
    passage words_;
    time_parts parts_;
    bool is_asked_ = false; // a time, by what stands before the words
    std::size_t at_ = 0;
    int last_unit_ = 0;                              // of the span, in minutes
    std::optional<std::chrono::seconds> clock_span_; // what the time of day is as a length of time
    bool within_ = false;
    bool span_ahead_ = false; // behind "in"
    bool at_pending_ = false;
    bool filler_last_ = false; // a preposition without what it belongs to
    bool is_led_ = false;      // the word before says that a time follows: "by"
    bool is_day_led_ = false;  // it may stand before the number of a day
    bool is_until_ = false;    // the word before may stand before an hour of a day: "by"
    bool was_until_ = false;
    bool is_bound_ = false; // the word before makes an hour the end of a stretch: "until"
    bool was_bound_ = false;
    bool needs_weekday_ =
        false; // "semaine prochaine" is a time by itself only where one is asked for
    bool needs_clock_ = false; // "le 5" alone may be another thing
};

} // namespace postrider::agent::language
