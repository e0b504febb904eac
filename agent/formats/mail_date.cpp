#include "agent/formats/mail_date.hpp"

#include "base/ascii.hpp"
#include "base/date_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace postrider::agent::formats {

namespace {

using namespace std::chrono;

std::vector<std::string> words_of_date(std::string_view text) {
    std::vector<std::string> words(1);
    for (char const c : base::to_lower(std::string(text))) {
        if (c == ' ' || c == ',' || c == '\t')
            words.emplace_back();
        else
            words.back() += c;
    }
    std::erase(words, "");
    return words;
}

std::optional<int> read_digits(std::string_view digits) {
    int number = 0;
    auto const* const end = digits.data() + digits.size();
    auto const read = std::from_chars(digits.data(), end, number);
    if (digits.empty() || read.ec != std::errc() || read.ptr != end || number < 0)
        return std::nullopt;
    return number;
}

std::optional<seconds> read_clock(std::string_view text) {
    auto const minute_at = text.find(':');
    if (minute_at == text.npos) return std::nullopt;
    auto const second_at = text.find(':', minute_at + 1);
    auto const hour = read_digits(text.substr(0, minute_at));
    auto const minute = read_digits(text.substr(minute_at + 1, second_at - minute_at - 1));
    auto const second =
        second_at == text.npos ? std::optional(0) : read_digits(text.substr(second_at + 1));
    if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60)
        return std::nullopt;
    return hours{*hour} + minutes{*minute} + seconds{std::min(*second, 59)};
}

std::optional<seconds> read_zone(std::string_view text) {
    struct named_zone {
        std::string_view name;
        int hours;
    };
    static constexpr std::array<named_zone, 12> zones{{
        {"gmt", 0},
        {"ut", 0},
        {"utc", 0},
        {"z", 0},
        {"est", -5},
        {"edt", -4},
        {"cst", -6},
        {"cdt", -5},
        {"mst", -7},
        {"mdt", -6},
        {"pst", -8},
        {"pdt", -7},
    }};
    auto const* const zone = std::ranges::find(zones, text, &named_zone::name);
    if (zone != zones.end()) return hours{zone->hours};
    bool const is_offset = text.size() == 5 && (text[0] == '+' || text[0] == '-');
    auto const digits = is_offset ? read_digits(text.substr(1)) : std::nullopt;
    if (!digits || *digits % 100 > 59) return std::nullopt;
    auto const offset = hours{*digits / 100} + minutes{*digits % 100};
    return text[0] == '-' ? -offset : offset;
}

} // namespace

std::optional<base::sys_time> read_mail_date(std::string_view text) {
    auto words = words_of_date(text);
    if (!words.empty() && words.front().find_first_of("0123456789") == std::string::npos)
        words.erase(words.begin()); // the day of the week
    if (words.size() < 4) return std::nullopt;
    auto const day = read_digits(words[0]);
    auto const* const month_name =
        std::ranges::find(base::short_months, std::string_view(words[1]).substr(0, 3));
    auto year = read_digits(words[2]);
    auto const clock = read_clock(words[3]);
    auto const offset = words.size() > 4 ? read_zone(words[4]) : std::optional(seconds{0});
    if (!day || month_name == base::short_months.end() || !year || !clock || !offset)
        return std::nullopt;
    if (*year < 100) *year += *year < 70 ? 2000 : 1900;
    auto const month = static_cast<unsigned>(month_name - base::short_months.begin()) + 1;
    year_month_day const date{
        std::chrono::year{*year},
        std::chrono::month{month},
        std::chrono::day{static_cast<unsigned>(*day)}};
    if (!date.ok()) return std::nullopt;
    return sys_days{date} + *clock - *offset;
}

} // namespace postrider::agent::formats
