#include "agent/expression/moment.hpp"

#include "agent/tools/utc_offset.hpp"
#include "base/time_zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace postrider::agent::expressions {

namespace {

using namespace std::chrono;

constexpr std::array<std::string_view, 7> weekdays{
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> months{
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December"};

std::string written_offset(seconds offset) {
    auto const away = floor<minutes>(abs(offset)).count();
    return fmt::format("{}{:02}{:02}", offset < 0s ? '-' : '+', away / 60, away % 60);
}

int of_twelve(int hour) noexcept {
    return hour % 12 == 0 ? 12 : hour % 12;
}

// "": there is no such letter.
std::string formatted(moment const& at, char letter) {
    auto const weekday = weekdays[static_cast<std::size_t>(at.weekday())];
    auto const month = months[static_cast<std::size_t>(at.month() - 1)];
    switch (letter) {
    case 'Y':
        return fmt::format("{:04}", at.year());
    case 'y':
        return fmt::format("{:02}", at.year() % 100);
    case 'm':
        return fmt::format("{:02}", at.month());
    case 'd':
        return fmt::format("{:02}", at.day());
    case 'e':
        return fmt::format("{:2}", at.day());
    case 'j':
        return fmt::format("{:03}", at.day_of_year());
    case 'H':
        return fmt::format("{:02}", at.hour());
    case 'I':
        return fmt::format("{:02}", of_twelve(at.hour()));
    case 'M':
        return fmt::format("{:02}", at.minute());
    case 'S':
        return fmt::format("{:02}", at.second());
    case 'p':
        return at.hour() < 12 ? "AM" : "PM";
    case 'a':
        return std::string(weekday.substr(0, 3));
    case 'A':
        return std::string(weekday);
    case 'b':
        return std::string(month.substr(0, 3));
    case 'B':
        return std::string(month);
    case 'F':
        return fmt::format("{:04}-{:02}-{:02}", at.year(), at.month(), at.day());
    case 'T':
        return fmt::format("{:02}:{:02}:{:02}", at.hour(), at.minute(), at.second());
    case 'z':
        return written_offset(at.offset);
    case 'Z':
        return at.zone;
    case '%':
        return "%";
    default:
        return {};
    }
}

} // namespace

year_month_day moment::date() const noexcept {
    return year_month_day{floor<days>(wall())};
}
microseconds moment::time_of_day() const noexcept {
    return wall() - floor<days>(wall());
}
int moment::year() const noexcept {
    return static_cast<int>(date().year());
}
int moment::month() const noexcept {
    return static_cast<int>(static_cast<unsigned>(date().month()));
}
int moment::day() const noexcept {
    return static_cast<int>(static_cast<unsigned>(date().day()));
}
int moment::day_of_year() const noexcept {
    auto const new_year = sys_days{date().year() / 1 / 1};
    return static_cast<int>((floor<days>(wall()) - new_year).count()) + 1;
}
int moment::weekday() const noexcept {
    return static_cast<int>(std::chrono::weekday{floor<days>(wall())}.c_encoding());
}
int moment::hour() const noexcept {
    return static_cast<int>(time_of_day() / 1h);
}
int moment::minute() const noexcept {
    return static_cast<int>(time_of_day() % 1h / 1min);
}
int moment::second() const noexcept {
    return static_cast<int>(time_of_day() % 1min / 1s);
}
int moment::millisecond() const noexcept {
    return static_cast<int>(time_of_day() % 1s / 1ms);
}

fallible<moment> moment_at(base::sys_time instant, std::string_view zone, budget& budget) {
    constexpr std::size_t unknown = 1000; // steps: each of all zones is compared with the name
    if (auto const offset = parse_utc_offset(zone))
        return moment{instant, *offset, std::string(zone)};
    auto const named = base::find_time_zone(zone);
    if (!named && !budget.spend(unknown)) return budget.failure();
    if (!named)
        return failure{"there is no such time zone; one is such as Europe/Berlin, UTC or +02:00"};
    return moment{instant, named->period_at(instant).offset, named->name()};
}

std::optional<failure> append_formatted(
    bounded_text& text, moment const& at, std::string_view pattern
) {
    while (!pattern.empty()) {
        auto const plain = std::min(pattern.find('%'), pattern.size());
        text.append(pattern.substr(0, plain));
        pattern.remove_prefix(plain);
        if (pattern.empty()) break;
        auto const more = formatted(at, pattern.size() > 1 ? pattern[1] : '\0');
        if (more.empty())
            return failure{"the format has a % that means nothing; %% is a percent sign"};
        if (!text.append(more)) break;
        pattern.remove_prefix(2);
    }
    return std::nullopt;
}

} // namespace postrider::agent::expressions
