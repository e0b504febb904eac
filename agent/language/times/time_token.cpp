#include "agent/language/times/time_token.hpp"

#include "base/time_zone.hpp"

#include <re2/re2.h>

namespace postrider::agent::language {

namespace {

using std::chrono::year_month_day;

// A year in which every day exists, until the year is known.
constexpr int leap_year = 2000;

std::optional<time_token> dated(int year, unsigned month, unsigned day, bool has_year) {
    year_month_day const date{
        std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
    if (!date.ok()) return std::nullopt;
    time_token token;
    token.date = date;
    token.has_year = has_year;
    return token;
}

std::optional<time_token> timed(int hour, int minute, std::string_view half, bool written_out) {
    bool const twelve = !half.empty();
    if (minute > 59 || hour > (twelve ? 12 : 24) || (twelve && hour == 0)) return std::nullopt;
    if (hour == 24 && minute > 0) return std::nullopt;
    time_token token;
    token.minutes = hour * 60 + minute;
    token.before_noon = half == "a";
    token.after_noon = half == "p";
    token.names_half = twelve || hour > 12 || hour == 0 || written_out;
    return token;
}

bool begins_with_digit(std::string const& text) {
    constexpr std::size_t longest = 24;
    return !text.empty() && text.front() >= '0' && text.front() <= '9' && text.size() <= longest;
}

// "24/12", "12/24": where the month is first, too, it is only because the other way is no date.
std::optional<time_token> slashed(int year, unsigned first, unsigned second, bool has_year) {
    auto token = dated(year, second, first, has_year);
    auto const other = dated(year, first, second, has_year);
    if (!token) return other;
    token->month_may_lead = other && first != second;
    return token;
}

} // namespace

std::optional<time_token> read_time_token(std::string const& text) {
    static RE2 const iso_date(R"((\d{4})-(\d{1,2})-(\d{1,2}))");
    static RE2 const iso_time(R"((\d{4}-\d\d-\d\d)t(\d\d):(\d\d)(?::\d\d)?)");
    static RE2 const day_first(R"((\d{1,2})([./])(\d{1,2})(?:[./](\d{2}|\d{4}))?)");
    static RE2 const clock_time(R"((\d{1,2}):(\d\d)(?:([ap])m)?(?:uhr|h)?)");
    static RE2 const dotted_time(R"((\d{1,2})\.(\d\d)(?:([ap])m|uhr))");
    static RE2 const hour_only(R"((\d{1,2})(?:([ap])m|uhr|h(\d\d)?))");
    if (!begins_with_digit(text)) return std::nullopt;
    int year = 0;
    unsigned month = 0;
    unsigned day = 0;
    int hour = 0;
    int minute = 0;
    std::string half;
    std::string year_text;
    std::string minute_text;
    std::string date_text;
    std::string divider;
    if (RE2::FullMatch(text, iso_date, &year, &month, &day)) return dated(year, month, day, true);
    if (RE2::FullMatch(text, iso_time, &date_text, &hour, &minute)) {
        auto token = timed(hour, minute, {}, true);
        auto const date = read_time_token(date_text);
        if (!token || !date) return std::nullopt;
        token->date = date->date;
        token->has_year = true;
        return token;
    }
    if (RE2::FullMatch(text, clock_time, &hour, &minute, &half) ||
        RE2::FullMatch(text, dotted_time, &hour, &minute, &half)) {
        auto token = timed(hour, minute, half, text.size() >= 5 && text.front() == '0');
        if (token) token->names_hours = text.back() > '9';
        return token;
    }
    if (RE2::FullMatch(text, hour_only, &hour, &half, &minute_text)) {
        auto token = timed(hour, minute_text.empty() ? 0 : std::stoi(minute_text), half, false);
        if (token) token->names_hours = true;
        return token;
    }
    if (RE2::FullMatch(text, day_first, &day, &divider, &month, &year_text)) {
        bool const has_year = !year_text.empty();
        year = has_year ? std::stoi(year_text) : leap_year;
        if (year < 100) year += 2000;
        auto token = divider == "/" ? slashed(year, day, month, has_year)
                                    : dated(year, month, day, has_year);
        if (token) token->needs_lead = year_text.size() < (divider == "/" ? 1u : 4u);
        return token;
    }
    return std::nullopt;
}

std::optional<int> read_dotted_time(std::string const& text) {
    static RE2 const dotted(R"((\d{1,2})\.([0-5]\d))");
    int hour = 0;
    int minute = 0;
    if (!begins_with_digit(text) || !RE2::FullMatch(text, dotted, &hour, &minute) || hour > 23)
        return std::nullopt;
    return hour * 60 + minute;
}

bool may_be_clock_time(std::string const& text) {
    static RE2 const clock_time(R"(\d{1,2}:[0-5][05])");
    auto const token = read_time_token(text);
    return token && token->minutes && RE2::FullMatch(text, clock_time);
}

bool is_minutes(std::string const& text) {
    return text.size() == 2 && text[0] >= '0' && text[0] <= '5' && text[1] >= '0' && text[1] <= '9';
}

bool has_form_of_hour(std::string const& text) {
    static RE2 const hour(R"(\d{1,2}h(?:\d\d)?)");
    return begins_with_digit(text) && RE2::FullMatch(text, hour);
}

bool has_form_of_time(std::string const& text) {
    static RE2 const iso(R"(\d{4}-\d{1,2}-\d{1,2}(?:t\d\d:\d\d(?::\d\d)?)?)");
    static RE2 const numeric_date(R"(\d{1,2}[./]\d{1,2}[./](?:\d{2}|\d{4}))");
    static RE2 const clock_time(R"(\d{1,2}:\d\d(?:[ap]m|uhr|h)?|\d{1,2}(?:[ap]m|uhr))");
    return begins_with_digit(text) &&
           (RE2::FullMatch(text, iso) || RE2::FullMatch(text, numeric_date) ||
            RE2::FullMatch(text, clock_time));
}

std::optional<std::chrono::seconds> read_span_token(std::string const& text) {
    using namespace std::chrono;
    static RE2 const of_hours(R"((\d{1,3})h(?:(\d{1,2})(?:m|mn|min|mins)?)?)");
    static RE2 const of_minutes(R"((\d{1,4})(?:m|mn|min|mins)(?:(\d{1,2})(?:s|sec|secs)?)?)");
    static RE2 const of_seconds(R"((\d{1,4})(?:s|sec|secs))");
    if (!begins_with_digit(text)) return std::nullopt;
    int whole = 0;
    std::string part;
    auto const rest = [&] { return part.empty() ? 0 : std::stoi(part); };
    if (RE2::FullMatch(text, of_hours, &whole, &part)) return hours(whole) + minutes(rest());
    if (RE2::FullMatch(text, of_minutes, &whole, &part)) return minutes(whole) + seconds(rest());
    if (RE2::FullMatch(text, of_seconds, &whole)) return seconds(whole);
    if (!text.ends_with('h')) return std::nullopt;
    auto const hundredths = read_decimal(text.substr(0, text.size() - 1));
    if (!hundredths) return std::nullopt;
    return *hundredths * seconds(36);
}

std::optional<int> read_decimal(std::string const& text) {
    static RE2 const decimal(R"((\d{1,3})[.,](\d{1,2}))");
    int whole = 0;
    std::string part;
    if (!begins_with_digit(text) || !RE2::FullMatch(text, decimal, &whole, &part))
        return std::nullopt;
    return whole * 100 + std::stoi(part) * (part.size() == 1 ? 10 : 1);
}

std::optional<unsigned> ordinal_day(std::string_view text) {
    static RE2 const ordinal(R"((\d{1,2})(st|nd|rd|th|er|o|го|ого))");
    if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
    unsigned day = 0;
    std::string suffix;
    if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), ordinal, &day, &suffix))
        return std::nullopt;
    // "le 1er mai"; not "el 3er capítulo", "el 2º piso"
    unsigned const last = suffix == "er" || suffix == "o" ? 1 : 31;
    return day < 1 || day > last ? std::nullopt : std::optional(day);
}

} // namespace postrider::agent::language
