#pragma once
// Schedules as the API and `schedules … --json` write them, with the times at which they run next. Pure.
#include "queue/admin/schedules.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace postrider::server {

// A schedule and the times it runs at next.
struct schedule_report {
    queue::schedule schedule;
    std::vector<base::sys_time> next;
};

// How many of the next times are computed for the report; the scheduler's own comes first. None for
// one that is paused, ended or in error.
schedule_report report_of(queue::schedule schedule, base::sys_time now, std::size_t count);

// active, paused, ended or error.
std::string state_of(queue::schedule const& schedule);

// By the zone's wall clock; UTC when there is no such zone.
std::string time_in_zone(base::sys_time time, std::string const& timezone);
boost::json::array times_json(
    std::vector<base::sys_time> const& times, std::string const& timezone
);

boost::json::object schedule_json(schedule_report const& report);

} // namespace postrider::server
