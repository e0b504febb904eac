#include "agent/todo/time_parser.hpp"

#include "agent/todo/reference.hpp"
#include "agent/todo/time_token.hpp"

namespace postrider::agent::todo {

namespace {

// A part of the day from here on stands alone ("tonight"), and is today.
constexpr int minutes_of_day = 24 * 60;

class parser {
public:
    parser(compiled_language const& language, passage words)
        : language_(language),
          times_(language.times),
          words_(words) {}

    std::optional<time_parts> parse() {
        while (at_ < words_.size())
            if (!step()) return std::nullopt;
        if (!is_complete()) return std::nullopt;
        return parts_;
    }

private:
    word_span rest() const { return words_.numbers().subspan(at_); }

    // The first that reads the next words does; longer phrases come first.
    bool step() {
        return read_half() || read_joint() || read_number() || read_day() || read_part() ||
               read_weekday() || read_month() || read_next() || read_within() || read_marker() ||
               read_filler();
    }

    template<class T>
    bool set(std::optional<T>& target, T value, std::size_t words) {
        if (target) return false;
        target = value;
        at_ += words;
        filler_last_ = false;
        return true;
    }

    bool read_day() {
        auto const found = times_.days.at_begin(rest());
        return found.words > 0 && set(parts_.days, found.value, found.words);
    }

    bool read_part() {
        auto const found = times_.parts.at_begin(rest());
        if (found.words == 0) return false;
        if (found.value >= minutes_of_day) {
            if (!parts_.days) parts_.days = 0;
        } else if (found.words == 1 && words_.size() == 1) {
            return false;
        }
        return set(parts_.part, found.value % minutes_of_day, found.words);
    }

    bool read_weekday() {
        auto const found = times_.weekdays.at_begin(rest());
        return found.words > 0 && set(parts_.weekday, found.value, found.words);
    }

    bool read_month() {
        auto const found = times_.months.at_begin(rest());
        if (found.words == 0) return false;
        if (!set(parts_.month, static_cast<unsigned>(found.value), found.words)) return false;
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

    // "next week", "next month"; before a day it changes nothing.
    bool read_next() {
        auto const found = times_.next.at_begin(rest());
        if (found.words == 0) return false;
        auto const unit = times_.units.at_begin(rest().subspan(found.words));
        if (unit.words > 0) return add_span(1, unit.value, found.words + unit.words);
        at_ += found.words;
        filler_last_ = true;
        return true;
    }

    bool read_within() {
        auto const found = times_.within.at_begin(rest());
        if (found.words == 0) return false;
        within_ = true;
        // "d'ici 14h30" is until that hour.
        span_ahead_ = times_.on.at_begin(rest()).words < found.words;
        take_clock_as_span();
        at_ += found.words;
        // Behind its span it ends one ("2 ghante mein"), before one it begins it.
        filler_last_ = !parts_.span && !parts_.span_months;
        return true;
    }

    // "1h30 from now" is no time of day after all.
    void take_clock_as_span() {
        if (!clock_span_ || !span_ahead_ || parts_.span) return;
        parts_.span = clock_span_;
        parts_.exact_span = true;
        parts_.minutes.reset();
        parts_.names_half = false;
    }

    // "1 hour and 30 minutes", "an hour and a half"
    bool read_joint() {
        if (!parts_.span) return false;
        auto const joining = language_.conjunctions.at_begin(rest()).words;
        if (joining == 0) return false;
        auto const half = times_.half.at_begin(rest().subspan(joining)).words;
        if (half > 0 && last_unit_ > 1)
            return add_exact(std::chrono::seconds(last_unit_ * 30), joining + half);
        if (!begins_span(at_ + joining)) return false;
        at_ += joining;
        filler_last_ = true;
        return true;
    }

    bool begins_span(std::size_t at) const {
        if (at >= words_.size() || words_[at].quoted) return false;
        if (read_span_token(words_[at].text)) return true;
        auto const behind = words_.numbers().subspan(at);
        auto const words = std::max<std::size_t>(language_.numbers.at_begin(behind).words, 1);
        return number_of(language_, words_.part(at, at + words)) && is_unit(behind.subspan(words));
    }

    bool is_unit(word_span words) const {
        return times_.units.at_begin(words).words > 0 || times_.seconds.at_begin(words).words > 0;
    }

    bool read_half() {
        auto const found = times_.half.at_begin(rest());
        if (found.words == 0) return false;
        auto const unit = times_.units.at_begin(rest().subspan(found.words));
        if (unit.words == 0 || unit.value <= 1 || parts_.span) return false;
        parts_.exact_span = unit.value < minutes_of_day;
        std::chrono::seconds const half = std::chrono::minutes(unit.value / 2);
        return set(parts_.span, half, found.words + unit.words);
    }

    bool read_number() {
        if (words_[at_].quoted) return false;
        if (read_span()) return true;
        if (auto const token = read_time_token(words_[at_].text)) return take(*token);
        auto const named = language_.numbers.at_begin(rest());
        auto const words = std::max<std::size_t>(named.words, 1);
        auto const number = number_of(language_, words_.part(at_, at_ + words));
        if (!number || *number > 10'000) return read_ordinal();
        return take_number(static_cast<int>(*number), words);
    }

    // "1h30" behind "in", "45min", "1.5 hours".
    bool read_span() {
        auto const& text = words_[at_].text;
        if (auto const token = read_span_token(text)) {
            bool const in_span = span_ahead_ && !at_pending_ &&
                                 ((!parts_.span && !parts_.span_months) || parts_.exact_span);
            if (in_span || !read_time_token(text)) return add_exact(*token, 1);
            clock_span_ = token;
            return false;
        }
        auto const hundredths = read_decimal(text);
        if (!hundredths) return false;
        auto const unit = times_.units.at_begin(rest().subspan(1));
        if (unit.words == 0 || unit.value < 0) return false;
        // Of a minute 60 seconds, of which a hundredth is no whole one.
        std::chrono::seconds const length(std::int64_t{*hundredths} * unit.value * 60 / 100);
        return add_exact(length, 1 + unit.words);
    }

    bool read_ordinal() {
        auto const day = ordinal_day(words_[at_].text);
        return day && set(parts_.month_day, *day, 1);
    }

    bool take(time_token const& token) {
        if (token.date) {
            if (parts_.month_day || parts_.month) return false;
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

    bool set_time(int minutes) {
        if (parts_.minutes) return false;
        parts_.minutes = minutes;
        return true;
    }

    bool take_number(int number, std::size_t words) {
        auto const behind = rest().subspan(words);
        if (auto const unit = times_.units.at_begin(behind); unit.words > 0 && !at_pending_)
            return add_span(number, unit.value, words + unit.words);
        if (auto const second = times_.seconds.at_begin(behind).words; second > 0 && !at_pending_)
            return add_exact(std::chrono::seconds(number), words + second);
        if (auto const half = half_behind(behind); half.words > 0 && !at_pending_ && number <= 1000)
            return add_exact(
                std::chrono::seconds((2 * number + 1) * half.value * 30), words + half.words
            );
        if (auto const month = times_.months.at_begin(behind); month.words > 0)
            return number <= 31 && !parts_.month_day &&
                   set(parts_.month_day, static_cast<unsigned>(number), words);
        bool const marked = times_.hours.at_begin(behind).words > 0 ||
                            times_.before_noon.at_begin(behind).words > 0 ||
                            times_.after_noon.at_begin(behind).words > 0;
        bool const in_part = parts_.part && !parts_.minutes && at_ > 0;
        if ((marked || at_pending_ || in_part) && number <= 24 && set_time(number * 60)) {
            parts_.names_half |= number > 12;
            at_ += words;
            at_pending_ = filler_last_ = false;
            return true;
        }
        if (parts_.month && parts_.month_day && !parts_.year && number >= 2000)
            return set(parts_.year, number, words);
        return false;
    }

    // "one and a half hours": the unit in minutes.
    phrase_set::match half_behind(word_span words) const {
        auto const joining = language_.conjunctions.at_begin(words).words;
        auto const half = times_.half.at_begin(words.subspan(joining)).words;
        if (joining == 0 || half == 0) return {};
        auto const unit = times_.units.at_begin(words.subspan(joining + half));
        if (unit.words == 0 || unit.value <= 1) return {};
        return {joining + half + unit.words, unit.value};
    }

    bool add_span(int count, int unit, std::size_t words) {
        if (count > 1000) return false;
        if (unit < 0) {
            if (parts_.span_months) return false;
            parts_.span_months = -unit * count;
        } else {
            if (parts_.span && unit * count >= minutes_of_day) return false;
            parts_.span =
                parts_.span.value_or(std::chrono::seconds(0)) + std::chrono::minutes(unit) * count;
            parts_.exact_span |= unit < minutes_of_day;
            last_unit_ = unit;
        }
        within_ |= count == 1 && unit >= minutes_of_day; // "next week"
        at_ += words;
        filler_last_ = false;
        return true;
    }

    bool add_exact(std::chrono::seconds length, std::size_t words) {
        parts_.span = parts_.span.value_or(std::chrono::seconds(0)) + length;
        parts_.exact_span = true;
        last_unit_ = 0;
        at_ += words;
        filler_last_ = false;
        return true;
    }

    // What stands behind a time of day.
    bool read_marker() {
        auto const mark = [&](phrase_set const& marks, bool* said) {
            auto const found = marks.at_begin(rest());
            if (found.words == 0 || !parts_.minutes) return false;
            if (said) *said = parts_.names_half = true;
            at_ += found.words;
            filler_last_ = false;
            return true;
        };
        return mark(times_.before_noon, &parts_.before_noon) ||
               mark(times_.after_noon, &parts_.after_noon) || mark(times_.hours, nullptr);
    }

    bool read_filler() {
        if (auto const found = times_.at.at_begin(rest()); found.words > 0) {
            at_pending_ = true;
            at_ += found.words;
            filler_last_ = true;
            return true;
        }
        if (auto const found = times_.behind.at_begin(rest()); found.words > 0 && at_ > 0) {
            at_ += found.words;
            return true;
        }
        auto const found = times_.on.at_begin(rest());
        if (found.words == 0) return false;
        at_ += found.words;
        filler_last_ = true;
        return true;
    }

    bool is_complete() const {
        if (filler_last_) return false;
        bool const spanned = parts_.span || parts_.span_months;
        if (spanned && !within_) return false;
        bool const dated = parts_.month && parts_.month_day;
        if ((parts_.month || parts_.month_day || parts_.year) && !dated) return false;
        int const days =
            int(parts_.days.has_value()) + int(parts_.weekday.has_value()) + int(dated);
        if (days > 1 && !(parts_.weekday && days == 2)) return false;
        if (spanned && days > 0) return false;
        return spanned || days > 0 || parts_.minutes || parts_.part;
    }

    compiled_language const& language_;
    time_phrases const& times_;
    passage words_;
    time_parts parts_;
    std::size_t at_ = 0;
    int last_unit_ = 0;                              // of the span, in minutes
    std::optional<std::chrono::seconds> clock_span_; // what the time of day is as a length of time
    bool within_ = false;
    bool span_ahead_ = false; // behind "in"
    bool at_pending_ = false;
    bool filler_last_ = false; // a preposition without what it belongs to
};

} // namespace

std::optional<time_parts> parse_time(compiled_language const& language, passage words) {
    if (words.empty()) return std::nullopt;
    return parser(language, words).parse();
}

} // namespace postrider::agent::todo
