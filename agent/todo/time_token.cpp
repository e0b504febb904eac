#include "agent/todo/time_token.hpp"

#include "base/time_zone.hpp"

#include <re2/re2.h>

namespace postrider::agent::todo {

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
    time_token token;
    token.minutes = hour % 24 * 60 + minute;
    token.before_noon = half == "a";
    token.after_noon = half == "p";
    token.names_half = twelve || hour > 12 || hour == 0 || written_out;
    return token;
}

} // namespace

std::optional<time_token> read_time_token(std::string const& text) {
    static RE2 const iso_date(R"((\d{4})-(\d{1,2})-(\d{1,2}))");
    static RE2 const iso_time(R"((\d{4}-\d\d-\d\d)t(\d\d):(\d\d)(?::\d\d)?)");
    static RE2 const day_first(R"((\d{1,2})[./](\d{1,2})(?:[./](\d{2}|\d{4}))?)");
    static RE2 const clock_time(R"((\d{1,2}):(\d\d)(?:([ap])m)?(?:uhr|h)?)");
    static RE2 const hour_only(R"((\d{1,2})(?:([ap])m|uhr|h(\d\d)?))");
    if (text.empty() || text.front() < '0' || text.front() > '9' || text.size() > 24)
        return std::nullopt;
    int year = 0;
    unsigned month = 0;
    unsigned day = 0;
    int hour = 0;
    int minute = 0;
    std::string half;
    std::string year_text;
    std::string minute_text;
    std::string date_text;
    if (RE2::FullMatch(text, iso_date, &year, &month, &day)) return dated(year, month, day, true);
    if (RE2::FullMatch(text, iso_time, &date_text, &hour, &minute)) {
        auto token = timed(hour, minute, {}, true);
        auto const date = read_time_token(date_text);
        if (!token || !date) return std::nullopt;
        token->date = date->date;
        token->has_year = true;
        return token;
    }
    if (RE2::FullMatch(text, clock_time, &hour, &minute, &half))
        return timed(hour, minute, half, text.size() >= 5 && text.front() == '0');
    if (RE2::FullMatch(text, hour_only, &hour, &half, &minute_text))
        return timed(hour, minute_text.empty() ? 0 : std::stoi(minute_text), half, false);
    if (RE2::FullMatch(text, day_first, &day, &month, &year_text)) {
        bool const has_year = !year_text.empty();
        year = has_year ? std::stoi(year_text) : leap_year;
        return dated(year < 100 ? year + 2000 : year, month, day, has_year);
    }
    return std::nullopt;
}

std::optional<unsigned> ordinal_day(std::string_view text) {
    static RE2 const ordinal(R"((\d{1,2})(?:st|nd|rd|th|er|го|ого))");
    if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
    unsigned day = 0;
    if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), ordinal, &day) || day < 1 ||
        day > 31)
        return std::nullopt;
    return day;
}

} // namespace postrider::agent::todo
