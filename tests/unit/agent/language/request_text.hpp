#pragma once
// A request as one line, for tables of expectations:
//     create(call Ann @2026-11-24T09:00:00+01:00) delete(#3 confirmed)
#include "agent/language/reading/understand.hpp"

#include <string>

namespace postrider::agent::language {

std::string to_text(task_reference const& reference);
// "11-23..11-28": the month and the day of the first and of the one behind the last.
std::string to_text(day_span const& days);
std::string to_text(request const& understood, base::time_zone const& zone);

// 2026-11-22 10:00 in Berlin, a Sunday.
base::sys_time sunday_morning();
base::time_zone berlin();

// In Berlin, on that Sunday.
std::string understood(std::string_view message);

} // namespace postrider::agent::language
