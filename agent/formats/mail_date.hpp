#pragma once
// Dates as mail and RSS write them (RFC 822 and 5322): "Sat, 21 Nov 2026 16:30:00 +0100". Pure.
#include "base/clock.hpp"

#include <optional>
#include <string_view>

namespace postrider::agent::formats {

// Day of the week and seconds may be missing, and the year may have two digits.
std::optional<base::sys_time> read_mail_date(std::string_view text);

} // namespace postrider::agent::formats
