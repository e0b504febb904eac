#pragma once
// The end of what stands before a time, or of a title: what of a time it is. Private to unread_time.cpp. Pure.
#include "agent/language/reference.hpp"
#include "agent/language/times/time_parser.hpp"
#include "agent/language/times/time_token.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::language {

// The end of what stands before a time, or of a title.
class ending {
public:
    ending(compiled_language const& language, passage words)
        : language_(&language),
          times_(&language.times),
          words_(words) {}

    bool quoted() const { return words_.empty() || words_[words_.size() - 1].quoted; }

    // "since", "last"; "on the last" is a part of a day, and "the end of" turns one.
    bool is_topic() const {
        auto const topic = times_->topics.at_end(numbers()).words;
        bool const is_turn = times_->turns.at_end(numbers()).words > topic;
        return topic > 0 && !is_turn && !without(topic).is_led();
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
        constexpr int minutes_of_day = 24 * 60;
        return unit.words > 0 && (unit.value < 0 || unit.value >= minutes_of_day);
    }

    // "a week | today"; not "for a week | today"
    bool is_counted_weeks() const {
        constexpr int one_week = 7 * 24 * 60;
        auto const unit = times_->units.at_end(numbers());
        auto const count = without(unit.words);
        return unit.words > 0 && unit.value >= one_week && count.is_count() &&
               times_->aims.at_end(count.without_hour().numbers()).words == 0;
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
        // "مہینے کے آخر میں"
        auto const turn = times_->turns.at_end(numbers()).words;
        if (turn > 0 && language_->source->times.on.empty())
            return without(turn).is_month() || without(turn).is_long_unit();
        if (auto const month = times_->months.at_end(numbers()).words)
            rest = rest.without(month);
        else if (is_long_unit())
            rest = rest.without(times_->units.at_end(numbers()).words);
        else
            return false;
        // "of the month"
        for (bool shorter = true; shorter;) {
            if (rest.turns()) return true;
            auto const before = rest.words_.size();
            rest = rest.without(std::max(
                times_->inside.at_end(rest.numbers()).words, times_->on.at_end(rest.numbers()).words
            ));
            shorter = rest.words_.size() < before;
        }
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
        // "at 9ish"
        auto const& text = words_[words_.size() - 1].text;
        bool const is_numeric = !text.empty() && text.front() >= '0' && text.front() <= '9';
        if (is_numeric && times_->at.at_end(without(1).numbers()).words > 0) return true;
        if (!is_count()) return false;
        auto const last = numbers().last(std::min(longest, numbers().size()));
        return times_->at.contains_any(last);
    }

    // "from 9", "at 9 or 10", "tomorrow 9-11": of hours that are not one. `beside_day`: a day stands behind.
    bool is_stretch_of_hours(bool beside_day) const {
        if (words_.empty()) return false;
        auto const& last = words_[words_.size() - 1].text;
        auto const mark = times_->hours.at_end(numbers()).words;
        if (mark > 0 && mark < words_.size()) return without(mark).is_stretch_of_hours(true);
        if (joins_hours(last)) return is_led_hour(without(1), beside_day);
        if (!is_hour_of_day()) return false;
        auto before = without_hour();
        if (beside_day && before.bounds_hour()) return true;
        auto const joining = before.joint_of_hours();
        if (joining == 0) return false;
        before = before.without(joining);
        return before.is_hour_of_day() && is_led_hour(before.without_hour(), beside_day);
    }

    // "until", "from": no time, but where a stretch of hours ends or begins.
    bool is_bound() const { return times_->bounds.at_end(numbers()).words > 0; }

    // "at 12.30 | on friday": as often a price.
    bool is_dotted_hour() const {
        return !quoted() && read_dotted_time(words_[words_.size() - 1].text) &&
               times_->at.at_end(without(1).numbers()).words > 0;
    }

    // "friday week", "vendredi en huit"
    bool is_shifted_day() const {
        constexpr int one_week = 7 * 24 * 60;
        auto const unit = times_->units.at_end(numbers());
        auto const span = times_->spans.at_end(numbers());
        auto const& longest = span.words > unit.words ? span : unit;
        return longest.words > 0 && longest.value >= one_week && without(longest.words).is_day();
    }

    // "on christmas eve", "bis Monatsende"; "for christmas" says what it is for.
    bool is_led_named_day() const {
        bool const leads = !language_->source->times.on.empty();
        auto const behind = leads ? 0 : times_->behind.at_end(numbers()).words; // "eid ko"
        auto const named = times_->named_days.at_end(without(behind).numbers()).words;
        if (named == 0) return false;
        if (!leads) return behind > times_->aims.at_end(numbers()).words;
        auto day = without(named);
        day = day.without(times_->inside.at_end(day.numbers()).words);
        auto const lead = times_->on.at_end(day.numbers()).words;
        return lead > times_->aims.at_end(day.numbers()).words;
    }

    // "christmas eve"
    bool is_named_day() const {
        auto const day = without(times_->behind.at_end(numbers()).words);
        return times_->named_days.at_end(day.numbers()).words > 0;
    }

    // "on the day of the wedding", "am Tag der Arbeit"
    bool is_on_some_day() const {
        constexpr std::size_t longest = 3; // words behind "day"
        constexpr int one_day = 24 * 60;
        for (std::size_t count = 1; count <= longest && count < words_.size(); ++count) {
            auto const day = without(count);
            auto const unit = times_->units.at_end(day.numbers());
            if (unit.words > 0 && unit.value == one_day && day.without(unit.words).is_led())
                return true;
        }
        return false;
    }

    // "9 se | 11 baje": a word that makes things of times stands between two hours.
    bool is_hour_to() const {
        auto const topic = times_->topics.at_end(numbers()).words;
        return topic > 0 && without(topic).is_hour_of_day();
    }

    // "good | friday"
    bool goes_on_as_named_day(passage time) const {
        auto const joined = words_.joined_with(time.part(0, 1));
        return times_->named_days.at_end(joined.numbers()).words > 1;
    }

    // "at 9 on christmas eve", "le 35 à 9"
    bool is_unread_day_beside_hour() const {
        if (is_named_day()) {
            auto day = without(times_->named_days.at_end(numbers()).words);
            day = day.without(times_->on.at_end(day.numbers()).words);
            auto const at =
                day.is_hour_of_day() ? day.without_hour() : day.without(day.words_.size());
            return times_->at.at_end(at.numbers()).words > 0;
        }
        // "at 12.30 on 3.12"
        if (auto const on = is_dotted_date() ? times_->on.at_end(without(1).numbers()).words : 0) {
            auto const hour = without(1 + on);
            return hour.is_dotted_hour() ||
                   (hour.is_hour_of_day() &&
                    times_->at.at_end(hour.without_hour().numbers()).words > 0);
        }
        if (!is_hour_of_day()) return false;
        auto const before = without_hour();
        auto const at = times_->at.at_end(before.numbers()).words;
        auto const day = before.without(at);
        return at > 0 && (day.is_named_day() || day.is_numbered_day(true));
    }

    // "the week after next"
    bool is_after_next() const {
        auto const next = times_->next.at_end(numbers()).words;
        return next > 0 && times_->current.at_end(numbers()).words == 0 &&
               times_->turns.at_end(without(next).numbers()).words > 0;
    }

    // "on game | night"
    bool is_on_something() const {
        if (!is_unknown()) return false;
        auto const before = without(1);
        return before.is_on() || (before.is_unknown() && before.without(1).is_on());
    }

    // "the first | monday"
    bool is_ordinal() const { return language_->ordinals.at_end(numbers()).words > 0; }

    // "24.12 | at 9"
    bool is_dotted_date() const {
        if (words_.empty() || times_->numbered.at_end(without(1).numbers()).words > 0) return false;
        auto const& last = words_[words_.size() - 1].text;
        auto const token = read_time_token(last);
        return token && token->date && last.find('.') != std::string::npos;
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
    // "9-11"
    static bool joins_hours(std::string const& text) {
        auto const dash = text.find('-');
        if (dash == std::string::npos || text.find('-', dash + 1) != std::string::npos)
            return false;
        auto const hour = [](std::string const& part) -> int {
            if (auto const token = read_time_token(part)) return token->minutes.value_or(-1);
            bool const plain = !part.empty() && part.size() <= 2 &&
                               part.find_first_not_of("0123456789") == std::string::npos;
            return plain && std::stoi(part) <= 24 ? std::stoi(part) * 60 : -1;
        };
        auto const first_hour = hour(text.substr(0, dash));
        return first_hour >= 0 && first_hour < hour(text.substr(dash + 1));
    }

    bool is_hour_of_day() const {
        if (words_.empty() || words_[words_.size() - 1].quoted) return false;
        if (auto const token = read_time_token(words_[words_.size() - 1].text))
            return token->minutes.has_value();
        auto const words = std::max<std::size_t>(language_->numbers.at_end(numbers()).words, 1);
        auto const number =
            number_of(*language_, words_.part(words_.size() - words, words_.size()));
        return number && *number <= 24;
    }

    ending without_hour() const {
        return without(std::max<std::size_t>(language_->numbers.at_end(numbers()).words, 1));
    }

    // "or", "to", "bis", "und"
    std::size_t joint_of_hours() const {
        auto const at_end = numbers();
        return std::max(
            {times_->turns.at_end(at_end).words,
             times_->bounds.at_end(at_end).words,
             times_->on.at_end(at_end).words,
             times_->at.at_end(at_end).words,
             language_->ranges.at_end(at_end).words,
             language_->conjunctions.at_end(at_end).words}
        );
    }

    // "from", "after", "by": an hour behind it is not the time itself.
    bool bounds_hour() const {
        return times_->bounds.at_end(numbers()).words > 0 ||
               times_->until.at_end(numbers()).words > 0;
    }

    static bool is_led_hour(ending const& before, bool beside_day) {
        if (before.times_->numbered.at_end(before.numbers()).words > 0) return false;
        if (beside_day || before.is_day()) return true;
        if (before.times_->at.at_end(before.numbers()).words > 0) return true;
        auto const bound = before.times_->bounds.at_end(before.numbers()).words;
        return bound > 0 && before.without(bound).is_day();
    }

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

} // namespace postrider::agent::language
