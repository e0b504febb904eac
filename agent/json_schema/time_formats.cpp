// date, time and date-time of RFC 3339.
#include "agent/json_schema/formats.hpp"
#include "base/exact_time.hpp"

#include <charconv>
#include <optional>

namespace postrider::agent::json_schema {

namespace {

// Takes that many digits from the front.
std::optional<int> digits(std::string_view& text, std::size_t count) {
    int number = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (i >= text.size() || text[i] < '0' || text[i] > '9') return std::nullopt;
        number = number * 10 + (text[i] - '0');
    }
    text.remove_prefix(count);
    return number;
}

bool take(std::string_view& text, std::string_view any_of) {
    if (text.empty() || any_of.find(text.front()) == any_of.npos) return false;
    text.remove_prefix(1);
    return true;
}

// Minutes since midnight.
std::optional<int> take_clock(std::string_view& text) {
    auto const hour = digits(text, 2);
    if (!hour || *hour > 23 || !take(text, ":")) return std::nullopt;
    auto const minute = digits(text, 2);
    if (!minute || *minute > 59) return std::nullopt;
    return *hour * 60 + *minute;
}

// Minutes east of Greenwich.
std::optional<int> take_offset(std::string_view& text) {
    if (take(text, "Zz")) return 0;
    int const sign = text.starts_with('-') ? -1 : 1;
    if (!take(text, "+-")) return std::nullopt;
    auto const minutes = take_clock(text);
    return minutes ? std::optional(sign * *minutes) : std::nullopt;
}

} // namespace

bool is_date(std::string_view text) {
    return base::parse_exactly(std::string(text), "%F").has_value();
}

bool is_time(std::string_view text) {
    constexpr int day = 24 * 60;
    auto const minutes = take_clock(text);
    if (!minutes || !take(text, ":")) return false;
    auto const second = digits(text, 2);
    if (!second || *second > 60) return false;
    if (take(text, ".")) {
        if (!digits(text, 1)) return false;
        while (digits(text, 1)) {
        }
    }
    auto const offset = take_offset(text);
    if (!offset || !text.empty()) return false;
    // Leap seconds end a day in Greenwich.
    return *second < 60 || (*minutes - *offset + 2 * day) % day == day - 1;
}

bool is_date_time(std::string_view text) {
    auto const date_size = text.find_first_of("Tt");
    return date_size != text.npos && is_date(text.substr(0, date_size)) &&
           is_time(text.substr(date_size + 1));
}

} // namespace postrider::agent::json_schema
