#include "base/clock.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <ctime>

namespace postrider::base {

namespace {

std::chrono::nanoseconds read(clockid_t which) {
    timespec t{};
    clock_gettime(which, &t);
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
    auto days = std::chrono::floor<std::chrono::days>(t);
    std::chrono::year_month_day date{days};
    std::chrono::hh_mm_ss time{t - days};
    auto text = fmt::format(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()),
        time.hours().count(),
        time.minutes().count(),
        time.seconds().count()
    );
    if (precise && time.subseconds().count() != 0)
        text += fmt::format(".{:06}", time.subseconds().count());
    return text + 'Z';
}

std::optional<sys_time> from_iso8601(std::string_view text) {
    auto year = take_digits(text, 4);
    if (!year || !take(text, '-')) return std::nullopt;
    auto month = take_digits(text, 2);
    if (!month || !take(text, '-')) return std::nullopt;
    auto day = take_digits(text, 2);
    if (!day || !(take(text, 'T') || take(text, ' '))) return std::nullopt;
    auto hour = take_digits(text, 2);
    if (!hour || !take(text, ':')) return std::nullopt;
    auto minute = take_digits(text, 2);
    if (!minute || !take(text, ':')) return std::nullopt;
    auto second = take_digits(text, 2);
    if (!second || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;

    std::chrono::microseconds fraction{0};
    if (take(text, '.')) {
        auto scale = std::chrono::microseconds{100'000};
        std::size_t digits = 0;
        for (; !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())); ++digits) {
            fraction += scale * (text.front() - '0');
            scale /= 10;
            text.remove_prefix(1);
        }
        if (digits == 0) return std::nullopt;
    }

    std::chrono::minutes zone{0};
    if (!take(text, 'Z')) {
        bool const east = take(text, '+');
        if (!east && !take(text, '-')) return std::nullopt;
        auto zone_hour = take_digits(text, 2);
        if (!zone_hour) return std::nullopt;
        bool const colon = take(text, ':');
        auto zone_minute = text.empty() && !colon ? std::optional<int>{0} : take_digits(text, 2);
        if (!zone_minute || *zone_hour > 23 || *zone_minute > 59) return std::nullopt;
        zone = std::chrono::hours{*zone_hour} + std::chrono::minutes{*zone_minute};
        if (!east) zone = -zone;
    }
    if (!text.empty()) return std::nullopt;

    std::chrono::year_month_day date{
        std::chrono::year{*year},
        std::chrono::month{static_cast<unsigned>(*month)},
        std::chrono::day{static_cast<unsigned>(*day)}};
    if (!date.ok()) return std::nullopt;
    return std::chrono::sys_days{date} + std::chrono::hours{*hour} + std::chrono::minutes{*minute} +
           std::chrono::seconds{*second} + fraction - zone;
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
        unit const* found = nullptr;
        for (auto const& candidate : units)
            if (!found && text.starts_with(candidate.name)) found = &candidate;
        if (!found) return std::nullopt;
        text.remove_prefix(found->name.size());
        if (count > (longest - total) / found->length) return std::nullopt;
        total += found->length * count;
        any = true;
    }
    if (!any) return std::nullopt;
    return total;
}

} // namespace postrider::base
