#pragma once
// Times that are written in exactly one form. Pure.
#include <chrono>
#include <optional>
#include <string>

namespace postrider::base {

// The instant that the text names in UTC, in the English format of Howard Hinnant's date library
// ("%FT%T"); nothing when that format would write the instant in another way.
std::optional<std::chrono::sys_seconds> parse_exactly(std::string const& text, char const* format);

} // namespace postrider::base
