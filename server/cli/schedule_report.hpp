#pragma once
// Schedules as people read them in a terminal. Pure. Times are shown by the schedule's own wall clock.
#include "server/views/schedule_json.hpp"

#include <string>
#include <vector>

namespace postrider::cli {

using server::schedule_report;

std::string to_text(std::vector<schedule_report> const& reports);
std::string to_text(schedule_report const& report);
// One a line; UTC when there is no such zone.
std::string times_to_text(std::vector<base::sys_time> const& times, std::string const& timezone);

} // namespace postrider::cli
