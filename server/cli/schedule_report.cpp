#include "server/cli/schedule_report.hpp"

#include "base/json/text.hpp"
#include "server/cli/lane_text.hpp"
#include "server/cli/table.hpp"

#include <fmt/format.h>

namespace postrider::cli {

namespace {

using base::sys_time;

constexpr std::size_t schedule_error_width = 60;

std::string time_or_dash(std::optional<sys_time> t, std::string const& timezone) {
    return t ? server::time_in_zone(*t, timezone) : "-";
}

std::string when(queue::schedule const& s) {
    if (s.recurrence.cron) return *s.recurrence.cron + " " + s.recurrence.timezone;
    return "at " + time_or_dash(s.recurrence.at, s.recurrence.timezone);
}

} // namespace

std::string to_text(std::vector<schedule_report> const& reports) {
    std::vector<cells> lines;
    lines.reserve(reports.size());
    for (auto const& [s, next] : reports)
        lines.push_back(
            {s.name,
             s.kind,
             when(s),
             next.empty() ? "-" : server::time_in_zone(next.front(), s.recurrence.timezone),
             time_or_dash(s.last_at, s.recurrence.timezone),
             std::to_string(s.runs),
             server::state_of(s),
             one_line(s.error, schedule_error_width)}
        );
    return table({"name", "kind", "when", "next", "last", "runs", "state", ""}, lines);
}

std::string to_text(schedule_report const& report) {
    auto const& s = report.schedule;
    auto drawn = fmt::format(
        "{}  {}\n  kind     {}\n  when     {}\n  lane     {}\n  input    {}\n"
        "  missed   {}\n  overlap  {}\n  runs     {}, last {}{}\n",
        s.name,
        server::state_of(s),
        s.kind,
        when(s),
        name_and_key(s.lane_name, s.lane_key.value_or("schedule:" + s.name)),
        base::json_text(s.input),
        to_string(s.missed),
        to_string(s.overlap),
        s.runs,
        time_or_dash(s.last_at, s.recurrence.timezone),
        s.last_job ? " as job " + base::to_string(*s.last_job) : ""
    );
    if (!s.error.empty()) drawn += "  error    " + s.error + "\n";
    for (auto t : report.next)
        drawn += "  next     " + server::time_in_zone(t, s.recurrence.timezone) + "\n";
    return printable(drawn);
}

std::string times_to_text(std::vector<sys_time> const& times, std::string const& timezone) {
    std::string drawn;
    for (auto t : times) drawn += server::time_in_zone(t, timezone) + "\n";
    return drawn;
}

} // namespace postrider::cli
