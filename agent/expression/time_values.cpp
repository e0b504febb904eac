#include "agent/expression/time_values.hpp"

#include "agent/expression/arithmetic.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace postrider::agent::expressions {

namespace {

using namespace std::chrono;

constexpr sys_seconds first = sys_days{year{1} / 1 / 1};
constexpr sys_seconds behind_last = sys_days{year{10000} / 1 / 1};
constexpr double longest_duration = 315'576'000'000; // seconds; 10,000 years

constexpr std::string_view digits = "0123456789";
constexpr std::size_t date_size = 10; // 2026-11-21

// Where the digits behind a point begin and end; the end twice: there are none.
std::pair<std::size_t, std::size_t> fraction_in(std::string_view text) {
    auto const point = text.find('.');
    if (point == text.npos) return {text.size(), text.size()};
    return {point + 1, std::min(text.find_first_not_of(digits, point + 1), text.size())};
}

nanoseconds fraction_of(std::string_view written) {
    nanoseconds fraction{0};
    auto place = nanoseconds{100'000'000};
    for (char digit : written) {
        fraction += place * (digit - '0');
        place /= 10;
    }
    return fraction;
}

struct unit {
    std::string_view name;
    double seconds;
};
// Longer names stand before their beginnings.
constexpr std::array<unit, 9> duration_units{{
    {"min", 60},
    {"ms", 1e-3},
    {"us", 1e-6},
    {"\u00b5s", 1e-6},
    {"ns", 1e-9},
    {"s", 1},
    {"m", 60},
    {"h", 3600},
    {"d", 86400},
}};

unit const* find_unit(std::string_view text) {
    for (auto const& unit : duration_units)
        if (text.starts_with(unit.name)) return &unit;
    return nullptr;
}

} // namespace

double timestamp::since_1970() const noexcept {
    return static_cast<double>(seconds.time_since_epoch().count()) +
           static_cast<double>(fraction.count()) * 1e-9;
}

failure out_of_range() {
    return {"the time lies before the year 1 or beyond the year 9999"};
}

std::optional<timestamp> read_timestamp(std::string_view text) {
    constexpr std::size_t longest = 64;
    if (text.size() > longest) return std::nullopt;
    if (text.size() == date_size) return read_timestamp(std::string(text) + "T00:00:00Z");
    auto const [begin, end] = fraction_in(text);
    if (begin < text.size() && begin == end) return std::nullopt;
    auto whole = std::string(text);
    if (begin < text.size()) whole.erase(begin - 1, end - begin + 1);
    auto const instant = base::from_iso8601(whole);
    if (!instant) return std::nullopt;
    return timestamp{floor<seconds>(*instant), fraction_of(text.substr(begin, end - begin))};
}

std::optional<timestamp> timestamp_in(json::value const& value) {
    auto const* text = value.if_string();
    return text ? read_timestamp(view(*text)) : std::nullopt;
}

fallible<timestamp> add(timestamp moment, double by) {
    if (!(std::fabs(by) <= 2 * longest_duration)) return out_of_range();
    auto const whole = std::floor(by);
    moment.seconds += seconds{static_cast<std::int64_t>(whole)};
    moment.fraction += nanoseconds{std::llround((by - whole) * 1e9)};
    auto const more = floor<seconds>(moment.fraction);
    moment.seconds += more;
    moment.fraction -= more;
    return moment;
}

double seconds_between(timestamp start, timestamp end) noexcept {
    return static_cast<double>((end.seconds - start.seconds).count()) +
           static_cast<double>((end.fraction - start.fraction).count()) / 1e9;
}

std::optional<double> read_duration(std::string_view text) {
    double sign = 1;
    if (text.starts_with('-') || text.starts_with('+')) {
        sign = text.front() == '-' ? -1 : 1;
        text.remove_prefix(1);
    }
    if (text.empty()) return std::nullopt;
    double total = 0;
    while (!text.empty()) {
        double count = 0;
        auto const* const end = text.data() + text.size();
        auto const read = std::from_chars(text.data(), end, count, std::chars_format::fixed);
        if (read.ec != std::errc{} || text.starts_with('-')) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
        auto const* const unit = find_unit(text);
        if (!unit) return std::nullopt;
        text.remove_prefix(unit->name.size());
        // 1e9 is exact, and 1e-9 is not.
        total += unit->seconds < 1 ? count / std::round(1 / unit->seconds) : count * unit->seconds;
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    }
    return sign * total;
}

std::string write_duration(double seconds) {
    return format_number(seconds) + "s";
}

fallible<operand> operand_of(timestamp result) {
    if (result.seconds < first || result.seconds >= behind_last) return out_of_range();
    auto text = base::to_iso8601(result.seconds);
    if (result.fraction.count() != 0) {
        auto fraction = fmt::format(".{:09}", result.fraction.count());
        fraction.erase(fraction.find_last_not_of('0') + 1);
        text.insert(text.size() - 1, fraction);
    }
    return operand{json::value(json::string_view(text)), meaning::timestamp};
}

fallible<operand> duration_operand(double seconds) {
    if (!(std::fabs(seconds) <= longest_duration))
        return failure{"a duration has at most 10,000 years"};
    return operand{number_value(seconds), meaning::duration};
}

} // namespace postrider::agent::expressions
