#include "base/exact_time.hpp"

#include <date/date.h>
#include <sstream>

namespace postrider::base {

std::optional<std::chrono::sys_seconds> parse_exactly(std::string const& text, char const* format) {
    // Reading is lenient ("2026-1-1"), so what is written must come back. A year of more digits
    // than four does not; one below 0 does, and is none of ours.
    std::istringstream in{text};
    date::sys_seconds instant;
    in >> date::parse(format, instant);
    if (in.fail() || text.starts_with('-') || date::format(format, instant) != text)
        return std::nullopt;
    return instant;
}

} // namespace postrider::base
