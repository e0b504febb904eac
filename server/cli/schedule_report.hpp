#pragma once
// Schedules as people and programs read them: text for a terminal, JSON for --json. Pure. Times are
// shown by the schedule's own wall clock.
#include "queue/admin/schedules.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace postrider::cli {

// A schedule and the times it runs at next.
struct schedule_report {
    queue::schedule schedule;
    std::vector<base::sys_time> next;
};

// How many of the next times are computed for the report; the scheduler's own comes first. None for
// one that is paused, ended or in error.
schedule_report report_of(queue::schedule schedule, base::sys_time now, std::size_t count);

std::string to_text(std::vector<schedule_report> const& reports);
std::string to_text(schedule_report const& report);
boost::json::value to_json(schedule_report const& report);
boost::json::value to_json(std::vector<schedule_report> const& reports);

// Times in the zone, one a line, or as an array; UTC when there is no such zone.
std::string times_to_text(std::vector<base::sys_time> const& times, std::string const& timezone);
boost::json::value times_to_json(
    std::vector<base::sys_time> const& times, std::string const& timezone
);

} // namespace postrider::cli
