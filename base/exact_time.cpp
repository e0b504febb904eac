#include "base/exact_time.hpp"

#include <algorithm>
#include <date/date.h>
#include <sstream>

namespace postrider::base {

namespace {

char kind_of(char c) {
    if ('0' <= c && c <= '9') return '0';
    bool const letter = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
    return letter ? 'a' : c;
}

// Digits and letters stand where those of the sample do, and all else is equal.
bool looks_like(std::string const& text, std::string const& sample) {
    return std::ranges::equal(text, sample, {}, kind_of, kind_of);
}

} // namespace

std::optional<std::chrono::sys_seconds> parse_exactly(std::string const& text, char const* format) {
    // Where the library (3.0.1) does not come to read the seconds, it computes with uninitialised
    // ones. It comes to them in every text that looks like a time, or stops before the time of day.
    if (!looks_like(text, date::format(format, date::sys_seconds{}))) return std::nullopt;
    // Reading is lenient ("24:00:00"), so what is written must come back.
    std::istringstream in{text};
    date::sys_seconds instant;
    in >> date::parse(format, instant);
    if (in.fail() || date::format(format, instant) != text) return std::nullopt;
    return instant;
}

} // namespace postrider::base
