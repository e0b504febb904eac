#include "agent/reminders/recurrence.hpp"

#include "base/ascii.hpp"
#include "base/cron.hpp"
#include "base/date_names.hpp"
#include "base/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <vector>

namespace postrider::agent {

namespace {

using base::error;

constexpr int usual_hour = 9;

constexpr std::array<std::string_view, 7> recurrence_fillers{
    "every", "each", "on", "the", "and", "of", "day"};

std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words(1);
    for (char const c : base::to_lower(std::string(text))) {
        bool const divides = c == ' ' || c == ',' || c == '\t' || c == '\n';
        if (divides && !words.back().empty()) words.emplace_back();
        if (!divides) words.back() += c;
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

// "monday", "mondays", "mon": the number of a name by its first letters.
template<std::size_t N>
std::optional<int> name_at(
    std::array<std::string_view, N> const& names, std::string_view word, std::string_view ending
) {
    if (word.ends_with('s') && word.size() > 4 && word.substr(0, word.size() - 1).ends_with(ending))
        word.remove_suffix(1);
    for (std::size_t i = 0; i < N; ++i) {
        bool const is_short = word == names[i];
        if (is_short || (word.starts_with(names[i]) && word.ends_with(ending) && word.size() > 3))
            return static_cast<int>(i);
    }
    return std::nullopt;
}

std::optional<int> number_in(std::string_view& text) {
    int number = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc{} || number < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

// What was said, before it is an expression.
class reading {
public:
    base::result<std::string> read(std::vector<std::string> words) {
        words_ = std::move(words);
        while (at_ < words_.size())
            if (!step()) return not_understood();
        return expression();
    }

    static error not_understood() {
        return {
            base::errc::invalid,
            "that is no recurring time; write such as \"every weekday at 9\", \"every monday and "
            "thursday at 18:30\", \"every month on the 1st at 10\", \"every 2 hours\", or a cron "
            "expression: 0 9 * * 1-5"};
    }

private:
    std::string_view word() const { return words_[at_]; }
    std::string_view next() const {
        return at_ + 1 < words_.size() ? std::string_view(words_[at_ + 1]) : std::string_view();
    }

    bool step() {
        if (base::is_among(recurrence_fillers, word())) return pass();
        if (word() == "at") return pass();
        if (word() == "daily" || word() == "days" || word() == "everyday") return pass();
        if (word() == "week" || word() == "weekly") return say(weekly_);
        if (word() == "month" || word() == "monthly" || word() == "months") return say(monthly_);
        if (word() == "year" || word() == "yearly" || word() == "annually") return say(yearly_);
        if (word() == "hour" || word() == "hourly") return set_interval(1, true);
        if (word() == "weekday" || word() == "weekdays" || word() == "workday") return add({1, 5});
        if (word() == "weekend" || word() == "weekends") return add_one(6) && add_one(0, false);
        if (word() == "noon") return add_time(12, 0);
        if (word() == "midnight") return add_time(0, 0);
        if (word() == "last") return take_last_day();
        if (auto const day = name_at(base::short_weekdays, word(), "day")) return add_one(*day);
        if (auto const month = name_at(base::short_months, word(), ""))
            return take_month(*month + 1);
        return read_number();
    }

    bool pass() {
        ++at_;
        return true;
    }
    bool say(bool& flag) {
        flag = true;
        return pass();
    }
    bool add(std::pair<int, int> range) {
        for (int day = range.first; day <= range.second; ++day) days_.insert(day);
        return pass();
    }
    bool add_one(int day, bool moves = true) {
        days_.insert(day);
        return !moves || pass();
    }
    bool add_time(int hour, int minute) {
        if (hour > 23 || minute > 59 || (minute_ && *minute_ != minute)) return false;
        hours_.insert(hour);
        minute_ = minute;
        return pass();
    }
    bool take_last_day() {
        if (next() != "day" || month_day_) return false;
        last_day_ = true;
        at_ += 2;
        return true;
    }
    bool take_month(int month) {
        if (month_) return false;
        month_ = month;
        return pass();
    }
    bool set_interval(int length, bool in_hours) {
        int const all = in_hours ? 24 : 60;
        if (interval_ || length < 1 || all % length != 0) return false;
        interval_ = length;
        in_hours_ = in_hours;
        return pass();
    }

    bool read_number() {
        auto rest = word();
        auto const number = number_in(rest);
        if (!number || counts_units(rest)) return false;
        bool const follows_at = at_ > 0 && (words_[at_ - 1] == "at");
        if (rest == "st" || rest == "nd" || rest == "rd" || rest == "th") return take_day(*number);
        if (rest.starts_with(':')) return read_minutes(*number, rest.substr(1));
        if (rest == "am" || rest == "pm") return read_half(*number, 0, rest);
        if (!rest.empty()) return false;
        if (next() == "am" || next() == "pm") {
            auto const half = next();
            return read_half(*number, 0, half) && pass();
        }
        if (next().starts_with("hour") || next().starts_with("minute")) {
            bool const in_hours = next().starts_with("hour");
            return set_interval(*number, in_hours) && pass();
        }
        bool const beside_month = month_ || name_at(base::short_months, next(), "").has_value();
        if (!follows_at && beside_month && !month_day_) return take_day(*number);
        bool const may_be_hour = follows_at || !hours_.empty() || !days_.empty();
        return may_be_hour && add_time(*number, 0);
    }

    // "every 2nd day", "2 weeks": no calendar field repeats like that.
    bool counts_units(std::string_view behind_number) const {
        constexpr std::array<std::string_view, 8> units{
            "day", "days", "week", "weeks", "month", "months", "year", "years"};
        bool const repeats = at_ > 0 && (words_[at_ - 1] == "every" || words_[at_ - 1] == "each");
        return base::is_among(units, next()) && (behind_number.empty() || repeats);
    }

    bool take_day(int day) {
        if (month_day_ || last_day_ || day < 1 || day > 31) return false;
        month_day_ = day;
        return pass();
    }

    bool read_minutes(int hour, std::string_view rest) {
        auto const minute = number_in(rest);
        if (!minute) return false;
        if (rest.empty() && (next() == "am" || next() == "pm")) {
            auto const half = next();
            return read_half(hour, *minute, half) && pass();
        }
        if (rest.empty()) return add_time(hour, *minute);
        return (rest == "am" || rest == "pm") && read_half(hour, *minute, rest);
    }

    bool read_half(int hour, int minute, std::string_view half) {
        if (hour < 1 || hour > 12) return false;
        return add_time(hour % 12 + (half == "pm" ? 12 : 0), minute);
    }

    base::result<std::string> expression() const {
        bool const dated = monthly_ || yearly_ || month_ || month_day_ || last_day_;
        if (interval_) return interval(dated);
        if (dated && !days_.empty()) return not_understood();
        if (weekly_ && days_.empty()) return not_understood();
        if (yearly_ && (!month_ || !month_day_)) return not_understood();
        if (last_day_ && month_) return not_understood();
        auto const hours = hours_.empty() ? std::set<int>{usual_hour} : hours_;
        std::string day = "*";
        if (last_day_)
            day = "L";
        else if (dated)
            day = std::to_string(month_day_.value_or(1));
        return fmt::format(
            "{} {} {} {} {}",
            minute_.value_or(0),
            fmt::join(hours, ","),
            day,
            month_ ? std::to_string(*month_) : "*",
            weekday_field()
        );
    }

    base::result<std::string> interval(bool dated) const {
        if (dated || !hours_.empty()) return not_understood();
        if (in_hours_) return fmt::format("0 */{} * * {}", *interval_, weekday_field());
        return fmt::format("*/{} * * * {}", *interval_, weekday_field());
    }

    std::string weekday_field() const {
        if (days_.empty()) return "*";
        return fmt::format("{}", fmt::join(days_, ","));
    }

    std::vector<std::string> words_;
    std::size_t at_ = 0;
    std::set<int> days_; // of the week, 0 is Sunday
    std::set<int> hours_;
    std::optional<int> minute_;
    std::optional<int> month_day_;
    std::optional<int> month_;
    std::optional<int> interval_;
    bool in_hours_ = false;
    bool weekly_ = false;
    bool monthly_ = false;
    bool yearly_ = false;
    bool last_day_ = false;
};

// Of so many times in a row: an expression with more in it repeats itself by then.
constexpr int times_compared = 100;

base::result<void> check_distance(base::cron const& cron) {
    auto const zone = base::find_time_zone("UTC");
    if (!zone) return zone.error();
    auto at = cron.next(base::sys_time{}, *zone);
    for (int i = 0; at && i < times_compared; ++i) {
        auto const following = cron.next(*at, *zone);
        if (following && *following - *at < closest_reminders)
            return error(
                base::errc::invalid,
                fmt::format(
                    "that is too often: a reminder comes every {} minutes at most",
                    closest_reminders.count()
                )
            );
        at = following;
    }
    return {};
}

} // namespace

base::result<std::string> read_recurrence(std::string_view text) {
    auto words = words_in(text);
    if (words.empty()) return reading::not_understood();
    std::string expression(text);
    auto cron = base::cron::parse(expression);
    if (!cron) {
        auto said = reading().read(std::move(words));
        if (!said) {
            // Five fields are an expression, and what is wrong with it is known.
            bool const is_expression = text.find_first_of("*/@") != text.npos;
            return is_expression ? cron.error() : said.error();
        }
        expression = *said;
        cron = base::cron::parse(expression);
        if (!cron) return cron.error();
    }
    auto const distant = check_distance(*cron);
    if (!distant) return distant.error();
    return expression;
}

} // namespace postrider::agent
