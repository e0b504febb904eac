#include "base/clock.hpp"

#include "base/exact_time.hpp"

#include <fmt/chrono.h>

#include <array>
#include <charconv>
#include <ctime>

namespace postrider::base {

namespace {

std::chrono::nanoseconds read(clockid_t id) {
    timespec t{};
    clock_gettime(id, &t);
    return std::chrono::seconds{t.tv_sec} + std::chrono::nanoseconds{t.tv_nsec};
}

class machine_clock final : public clock {
public:
    sys_time now() const override {
        return std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    }
    steady_time steady() const override { return std::chrono::steady_clock::now(); }
    std::chrono::nanoseconds boot() const override { return read(CLOCK_BOOTTIME); }
};

// Digits at the front of text, exactly n of them; removes them.
std::optional<int> take_digits(std::string_view& text, std::size_t n) {
    if (text.size() < n) return std::nullopt;
    int value = 0;
    auto [end, ec] = std::from_chars(text.data(), text.data() + n, value);
    if (ec != std::errc{} || end != text.data() + n || text.front() == '-') return std::nullopt;
    text.remove_prefix(n);
    return value;
}

bool take(std::string_view& text, char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
}

// ".25", or none: as many digits as there are, the seventh and those after it for nothing.
std::optional<std::chrono::microseconds> take_fraction(std::string_view& text) {
    std::chrono::microseconds fraction{0};
    if (!take(text, '.')) return fraction;
    auto const digits = std::min(text.find_first_not_of("0123456789"), text.size());
    auto place = std::chrono::microseconds{100'000};
    for (char digit : text.substr(0, digits)) {
        fraction += place * (digit - '0');
        place /= 10;
    }
    text.remove_prefix(digits);
    return digits > 0 ? std::optional(fraction) : std::nullopt;
}

// "Z", "+02", "+0200" or "+02:00": east of Greenwich.
std::optional<std::chrono::minutes> take_offset(std::string_view& text) {
    if (take(text, 'Z')) return std::chrono::minutes{0};
    bool const east = take(text, '+');
    if (!east && !take(text, '-')) return std::nullopt;
    auto const hours = take_digits(text, 2);
    bool const colon = take(text, ':');
    auto const minutes = text.empty() && !colon ? std::optional<int>{0} : take_digits(text, 2);
    if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
    auto const offset = std::chrono::hours{*hours} + std::chrono::minutes{*minutes};
    return east ? offset : -offset;
}

struct unit {
    std::string_view name;
    duration length;
};

constexpr std::array units{
    unit{"ms", 1ms},
    unit{"us", 1us},
    unit{"min", 1min},
    unit{"s", 1s},
    unit{"m", 1min},
    unit{"h", 1h},
    unit{"d", 24h},
};

// Far from where nanoseconds in 64 bits overflow, at 292 years.
constexpr duration longest = 24h * 36500;

} // namespace

clock& system_clock() {
    static machine_clock instance;
    return instance;
}

sys_time manual_clock::now() const {
    return start_ + std::chrono::floor<std::chrono::microseconds>(duration{offset_.load()});
}

steady_time manual_clock::steady() const {
    return steady_time{duration{offset_.load()}};
}

std::chrono::nanoseconds manual_clock::boot() const {
    return duration{offset_.load()};
}

std::string to_iso8601(sys_time t, bool precise) {
    auto const whole = std::chrono::floor<std::chrono::seconds>(t);
    // Not of the instant itself: fmt would take it through nanoseconds, which end in 2262.
    auto text = fmt::format("{:%FT%T}", fmt::gmtime(whole.time_since_epoch().count()));
    if (precise && t != whole) text += fmt::format(".{:06}", (t - whole).count());
    return text + 'Z';
}

std::optional<sys_time> from_iso8601(std::string_view text) {
    constexpr std::size_t whole_size = 19;
    std::string whole{text.substr(0, whole_size)};
    if (whole.size() > date_size && whole[date_size] == ' ') whole[date_size] = 'T';
    auto const seconds = parse_exactly(whole, "%FT%T");
    if (!seconds) return std::nullopt;
    text.remove_prefix(whole_size);
    auto const fraction = take_fraction(text);
    auto const offset = take_offset(text);
    if (!fraction || !offset || !text.empty()) return std::nullopt;
    return *seconds + *fraction - *offset;
}

std::string to_text(duration d) {
    using namespace std::chrono;
    if (d < 1ms) return fmt::format("{}us", duration_cast<microseconds>(d).count());
    if (d < 1s) return fmt::format("{}ms", duration_cast<milliseconds>(d).count());
    auto millis = duration_cast<milliseconds>(d);
    if (millis < 1min && millis % 1s != 0ms)
        return fmt::format("{:.1f}s", static_cast<double>(millis.count()) / 1000.0);
    std::string text;
    auto append = [&](auto count, std::string_view name) {
        if (count == 0) return;
        if (!text.empty()) text += ' ';
        text += fmt::format("{}{}", count, name);
    };
    append(duration_cast<days>(d).count(), "d");
    append(duration_cast<hours>(d % 24h).count(), "h");
    append(duration_cast<minutes>(d % 1h).count(), "min");
    append(duration_cast<seconds>(d % 1min).count(), "s");
    return text;
}

std::optional<duration> duration_from_text(std::string_view text) {
    duration total{0};
    bool any = false;
    while (true) {
        while (take(text, ' ')) {
        }
        if (text.empty()) break;
        std::int64_t count = 0;
        auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (ec != std::errc{} || count < 0 || count > 1'000'000'000) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        unit const* match = nullptr;
        for (auto const& candidate : units)
            if (!match && text.starts_with(candidate.name)) match = &candidate;
        if (!match) return std::nullopt;
        text.remove_prefix(match->name.size());
        if (count > (longest - total) / match->length) return std::nullopt;
        total += match->length * count;
        any = true;
    }
    if (!any) return std::nullopt;
    return total;
}

} // namespace postrider::base
