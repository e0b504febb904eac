// Instants to texts and back, by a format of strftime.
#include "agent/expression/moment.hpp"
#include "base/date_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

namespace postrider::agent::expressions {

namespace {

using namespace std::chrono;

std::string written_offset(seconds offset) {
    auto const away = floor<minutes>(abs(offset)).count();
    return fmt::format("{}{:02}{:02}", offset < 0s ? '-' : '+', away / 60, away % 60);
}

int of_twelve(int hour) noexcept {
    return hour % 12 == 0 ? 12 : hour % 12;
}

// "": there is no such letter.
std::string formatted(moment const& at, char letter) {
    auto const weekday = base::weekday_names[static_cast<std::size_t>(at.weekday())];
    auto const month = base::month_names[static_cast<std::size_t>(at.month() - 1)];
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
    case 'L':
        return fmt::format("{:03}", at.millisecond());
    case 'V':
        return fmt::format("{:02}", at.iso_week());
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

// What JavaScript's libraries and others write for it. Longer ones stand before their beginnings.
constexpr std::array<std::pair<std::string_view, std::string_view>, 17> foreign_letters{{
    {"yyyy", "%Y"},
    {"YYYY", "%Y"},
    {"MMMM", "%B"},
    {"MMM", "%b"},
    {"EEEE", "%A"},
    {"dddd", "%A"},
    {"SSS", "%L"},
    {"EEE", "%a"},
    {"yy", "%y"},
    {"MM", "%m"},
    {"dd", "%d"},
    {"DD", "%d"},
    {"HH", "%H"},
    {"hh", "%I"},
    {"mm", "%M"},
    {"ss", "%S"},
    {"LL", "%m"},
}};

failure formats_nothing(std::string_view pattern) {
    constexpr std::size_t longest = 60;
    std::string suggested;
    for (auto rest = pattern.substr(0, longest); !rest.empty();) {
        auto const letters_in_front = std::ranges::find_if(
            foreign_letters, [&](auto const& letters) { return rest.starts_with(letters.first); }
        );
        bool const is_foreign = letters_in_front != foreign_letters.end();
        if (is_foreign) suggested += letters_in_front->second;
        if (!is_foreign) suggested += rest.front();
        rest.remove_prefix(is_foreign ? letters_in_front->first.size() : 1);
    }
    bool const guessed = pattern.size() <= longest && suggested.find('%') != suggested.npos;
    return {fmt::format(
        "the format has no %, so it formats nothing; {}",
        guessed ? "did you mean `" + suggested + "`?" : "one is such as %Y-%m-%d %H:%M"
    )};
}

// Some letters of strptime() read what is not the same everywhere.
bool is_readable(std::string_view pattern) {
    constexpr std::string_view letters = "YmdeHIMSpyaAbBFTz%";
    for (std::size_t at = 0; (at = pattern.find('%', at)) != pattern.npos; at += 2)
        if (at + 1 == pattern.size() || letters.find(pattern[at + 1]) == letters.npos) return false;
    return true;
}

} // namespace

std::optional<failure> append_formatted(
    bounded_text& text, moment const& at, std::string_view pattern
) {
    if (pattern.find('%') == pattern.npos) return formats_nothing(pattern);
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

fallible<sys_seconds> read_formatted(
    std::string_view text, std::string_view pattern, zone const& place
) {
    if (pattern.find('%') == pattern.npos) return formats_nothing(pattern);
    if (!is_readable(pattern))
        return failure{
            "a format to read has %Y %m %d %e %H %I %M %S %p %y %a %A %b %B %F %T %z and %% only"};
    std::tm read{};
    read.tm_year = 70;
    read.tm_mday = 1;
    constexpr long none = 1 << 20;
    read.tm_gmtoff = none;
    auto const whole = std::string(text);
    auto const* const end = strptime(whole.c_str(), std::string(pattern).c_str(), &read);
    auto const date = year{read.tm_year + 1900} / (read.tm_mon + 1) / read.tm_mday;
    if (!end || *end != '\0' || whole.size() != std::strlen(whole.c_str()) || !date.ok())
        return failure{"the string is no time in that format"};
    auto const wall =
        sys_days{date} + hours{read.tm_hour} + minutes{read.tm_min} + seconds{read.tm_sec};
    if (read.tm_gmtoff != none) return wall - seconds{read.tm_gmtoff};
    return place.at(base::local_seconds{wall.time_since_epoch()});
}

} // namespace postrider::agent::expressions
