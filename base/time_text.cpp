#include "base/time_text.hpp"

#include "base/ascii.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <array>

namespace postrider::base {

namespace {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::duration_cast;
using std::chrono::floor;
using std::chrono::local_days;
using std::chrono::microseconds;

constexpr std::size_t longest_quote = 60;
constexpr std::size_t minutes_size = 16; // of 2026-11-21T14:00
constexpr days farthest{36500};

struct unit_word {
    std::string_view word;
    std::string_view unit; // as duration_from_text() knows it
    int count = 1;
};

constexpr std::array unit_words{
    unit_word{"sec", "s"},       unit_word{"secs", "s"},       unit_word{"second", "s"},
    unit_word{"seconds", "s"},   unit_word{"mins", "min"},     unit_word{"minute", "min"},
    unit_word{"minutes", "min"}, unit_word{"hr", "h"},         unit_word{"hrs", "h"},
    unit_word{"hour", "h"},      unit_word{"hours", "h"},      unit_word{"day", "d"},
    unit_word{"days", "d"},      unit_word{"w", "d", 7},       unit_word{"week", "d", 7},
    unit_word{"weeks", "d", 7},  unit_word{"month", "d", 30},  unit_word{"months", "d", 30},
    unit_word{"year", "d", 365}, unit_word{"years", "d", 365},
};

std::string_view trimmed_time(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    auto const begin = text.find_first_not_of(blanks);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool take_word(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    auto const rest = text.substr(word.size());
    if (!rest.empty() && rest.front() != ' ') return false;
    text = trimmed_time(rest);
    return true;
}

constexpr std::array<std::string_view, 12> number_words{
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve"};

// "2", "1.5", "two", "an", "half an", "a half", "a couple of", and any of them "and a half".
std::optional<double> take_number(std::string_view& text) {
    std::optional<double> number;
    bool const has_article = take_word(text, "a") || take_word(text, "an");
    if (take_word(text, "half")) {
        if (!has_article) (void)(take_word(text, "a") || take_word(text, "an"));
        return 0.5;
    }
    if (has_article) {
        number = take_word(text, "couple") ? 2 : 1;
        if (*number > 1) take_word(text, "of");
    }
    for (std::size_t n = 0; n < number_words.size() && !number; ++n)
        if (take_word(text, number_words[n])) number = static_cast<double>(n + 1);
    if (!number) {
        constexpr std::size_t most_digits = 9;
        auto end = std::min(text.find_first_not_of("0123456789"), text.size());
        if (end == 0 || end > most_digits) return std::nullopt;
        if (end < text.size() && text[end] == '.')
            end = std::min(text.find_first_not_of("0123456789", end + 1), text.size());
        if (end > 2 * most_digits) return std::nullopt;
        number = std::stod(std::string(text.substr(0, end)));
        text = trimmed_time(text.substr(end));
    }
    auto const behind = text;
    if (take_word(text, "and") && take_word(text, "a") && take_word(text, "half"))
        return *number + 0.5;
    text = behind;
    return number;
}

using seconds_of_span = std::chrono::duration<double>;

std::optional<seconds_of_span> take_unit(std::string_view& text) {
    auto const letters =
        std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), text.size());
    auto unit = text.substr(0, letters);
    int count = 1;
    for (auto const& candidate : unit_words)
        if (candidate.word == unit) {
            unit = candidate.unit;
            count = candidate.count;
            break;
        }
    auto const length = duration_from_text(fmt::format("{}{}", count, unit));
    if (unit.empty() || !length) return std::nullopt;
    text = trimmed_time(text.substr(letters));
    return *length;
}

// "2 hours and 5 minutes", "1h30min", "half an hour", "an hour and a half".
std::optional<duration> span_from(std::string_view text) {
    seconds_of_span whole{0};
    std::optional<seconds_of_span> unit;
    for (text = trimmed_time(text); !text.empty();) {
        if (unit) take_word(text, "and");
        auto const number = take_number(text);
        if (!number) return std::nullopt;
        bool const is_of_last = text.empty() && *number < 1;
        if (!is_of_last) unit = take_unit(text);
        if (!unit) return std::nullopt;
        whole += *number * *unit;
        if (whole > farthest) return std::nullopt;
    }
    if (!unit) return std::nullopt;
    return std::chrono::round<duration>(whole);
}

bool names_half_of_day(std::string_view time) {
    return time.ends_with("am") || time.ends_with("pm");
}

// "9am" and "9:30 pm" as "09:00" and "21:30". What is no such time stays as it is.
std::string in_24_hours(std::string_view time) {
    auto const clock = trimmed_time(time.substr(0, time.size() - 2));
    auto const digits = std::min(clock.find_first_not_of("0123456789"), clock.size());
    auto const hour =
        digits == 0 || digits > 2 ? 0 : std::stoi(std::string(clock.substr(0, digits)));
    if (hour < 1 || hour > 12) return std::string(time);
    auto const minutes = digits == clock.size() ? ":00" : clock.substr(digits);
    return fmt::format("{:02}{}", hour % 12 + (time.ends_with("pm") ? 12 : 0), minutes);
}

struct part_of_day {
    std::string_view word;
    std::chrono::hours begin;
};

constexpr std::array parts_of_day{
    part_of_day{"morning", 6h},
    part_of_day{"noon", 12h},
    part_of_day{"afternoon", 12h},
    part_of_day{"evening", 18h}};

std::optional<local_seconds> on_part_of_day(local_days day, std::string_view time) {
    for (auto const& [word, begin] : parts_of_day)
        if (time == word) return local_seconds{day} + begin;
    return std::nullopt;
}

// "14:00", "14:00:30", "2pm", "2:00 pm" or "morning".
std::optional<local_seconds> on_day(local_days day, std::string_view time) {
    if (time.empty()) return local_seconds{day};
    take_word(time, "at");
    if (auto const begin = on_part_of_day(day, time)) return begin;
    auto clock = names_half_of_day(time) ? in_24_hours(time) : std::string(time);
    if (clock.size() == std::string_view("9:00").size()) clock.insert(0, "0");
    auto const date = to_iso8601(sys_time{day.time_since_epoch()}).substr(0, date_size);
    return local_from_iso8601(fmt::format("{}T{}", date, clock));
}

struct day_word {
    std::string_view word;
    days from_today;
};

constexpr std::array day_words{
    day_word{"today", days{0}}, day_word{"yesterday", days{-1}}, day_word{"tomorrow", days{1}}};

constexpr std::array<std::string_view, 7> weekday_words{
    "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"};

// Of "last monday": today a week ago at the earliest.
std::optional<local_seconds> on_last_weekday(std::string_view text, local_days today) {
    for (unsigned n = 0; n < weekday_words.size(); ++n)
        if (take_word(text, weekday_words[n])) {
            auto const since = std::chrono::weekday{today} - std::chrono::weekday{n};
            return on_day(today - (since == days{0} ? days{7} : since), text);
        }
    return std::nullopt;
}

std::optional<local_seconds> wall_time_from(std::string_view text, local_days today) {
    if (take_word(text, "last")) return on_last_weekday(text, today);
    if (take_word(text, "this")) return on_part_of_day(today, text);
    for (auto const& [word, offset] : day_words)
        if (take_word(text, word)) return on_day(today + offset, text);
    if (text.size() == date_size) return local_from_iso8601(fmt::format("{}T00:00", text));
    bool const is_time = text.find(':') != text.npos || names_half_of_day(text);
    if (text.size() < date_size && is_time) return on_day(today, text);
    return local_from_iso8601(text);
}

std::optional<sys_time> relative_from(std::string_view text, sys_time now) {
    if (text == "now") return now;
    bool const is_later = take_word(text, "in");
    if (!is_later && text.ends_with("ago")) text = trimmed_time(text.substr(0, text.size() - 3));
    auto const span = span_from(text);
    if (!span) return std::nullopt;
    auto const whole = duration_cast<microseconds>(*span);
    return is_later ? now + whole : now - whole;
}

// Seconds may be missing before the offset.
std::optional<sys_time> instant_from(std::string text) {
    if (auto const instant = from_iso8601(text)) return instant;
    if (text.size() <= minutes_size) return std::nullopt;
    return from_iso8601(text.insert(minutes_size, ":00"));
}

} // namespace

result<sys_time> time_from_text(std::string_view text, sys_time now, time_zone const& zone) {
    auto const written = trimmed_time(text);
    if (!written.empty() && written.size() <= longest_quote) {
        if (auto const instant = instant_from(std::string(written))) return *instant;
        auto const lower = to_lower(std::string(written));
        if (auto const relative = relative_from(lower, now)) return *relative;
        auto const today = floor<days>(zone.to_local(now));
        // Of a wall-clock time the T stays as it is written.
        auto wall = wall_time_from(lower, today);
        if (!wall) wall = local_from_iso8601(written);
        if (wall) return sys_time{zone.at_local(*wall).first};
    }
    return error(
        errc::invalid,
        fmt::format("\"{}\" is not a time; write {}", shortened(text, longest_quote), time_examples)
    );
}

result<sys_time> time_from_text(std::string_view text, sys_time now) {
    return time_from_text(text, now, find_time_zone("UTC").value());
}

} // namespace postrider::base
