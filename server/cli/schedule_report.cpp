#include "server/cli/schedule_report.hpp"

#include "base/json/text.hpp"
#include "base/time_zone.hpp"
#include "server/cli/lane_text.hpp"
#include "server/cli/table.hpp"
#include "server/views/json_values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fmt/format.h>

namespace postrider::cli {

namespace {

namespace json = boost::json;

using base::sys_time;

constexpr std::size_t schedule_error_width = 60;

std::string in_zone(sys_time t, std::string const& timezone) {
    auto zone = base::find_time_zone(timezone);
    return zone ? base::to_iso8601(t, *zone) : base::to_iso8601(t);
}

std::string in_zone(std::optional<sys_time> t, std::string const& timezone) {
    return t ? in_zone(*t, timezone) : "-";
}

std::string when(queue::schedule const& s) {
    if (s.recurrence.cron) return *s.recurrence.cron + " " + s.recurrence.timezone;
    return "at " + in_zone(s.recurrence.at, s.recurrence.timezone);
}

std::string state(queue::schedule const& s) {
    if (!s.error.empty()) return "error";
    if (s.paused_at) return "paused";
    return s.ended ? "ended" : "active";
}

json::value time_or_null(std::optional<sys_time> t) {
    if (!t) return nullptr;
    return json::value(base::to_iso8601(*t, true));
}

json::value text(std::string_view view) {
    return json::value(json::string_view(view.data(), view.size()));
}

} // namespace

schedule_report report_of(queue::schedule schedule, sys_time now, std::size_t count) {
    schedule_report report{std::move(schedule), {}};
    auto const& s = report.schedule;
    if (state(s) != "active") return report;
    if (s.next_at) report.next.push_back(*s.next_at);
    auto more = queue::next_times(s.recurrence, s.next_at.value_or(now), count);
    if (more) report.next.insert(report.next.end(), more->begin(), more->end());
    report.next.resize(std::min(report.next.size(), count));
    return report;
}

std::string to_text(std::vector<schedule_report> const& reports) {
    std::vector<cells> lines;
    lines.reserve(reports.size());
    for (auto const& [s, next] : reports)
        lines.push_back(
            {s.name,
             s.kind,
             when(s),
             next.empty() ? "-" : in_zone(next.front(), s.recurrence.timezone),
             in_zone(s.last_at, s.recurrence.timezone),
             std::to_string(s.runs),
             state(s),
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
        state(s),
        s.kind,
        when(s),
        name_and_key(s.lane_name, s.lane_key.value_or("schedule:" + s.name)),
        base::json_text(s.input),
        to_string(s.missed),
        to_string(s.overlap),
        s.runs,
        in_zone(s.last_at, s.recurrence.timezone),
        s.last_job ? " as job " + base::to_string(*s.last_job) : ""
    );
    if (!s.error.empty()) drawn += "  error    " + s.error + "\n";
    for (auto t : report.next) drawn += "  next     " + in_zone(t, s.recurrence.timezone) + "\n";
    return printable(drawn);
}

json::value to_json(schedule_report const& report) {
    auto const& s = report.schedule;
    return json::object{
        {"name", s.name},
        {"kind", s.kind},
        {"input", s.input},
        {"lane", s.lane_key.value_or("schedule:" + s.name)},
        {"cron", server::or_null(s.recurrence.cron)},
        {"at", time_or_null(s.recurrence.at)},
        {"timezone", s.recurrence.timezone},
        {"missed", text(to_string(s.missed))},
        {"overlap", text(to_string(s.overlap))},
        {"state", state(s)},
        {"error", server::text_or_null(s.error)},
        {"runs", s.runs},
        {"last_at", time_or_null(s.last_at)},
        {"last_job", s.last_job ? json::value(base::raw(*s.last_job)) : json::value(nullptr)},
        {"next", times_to_json(report.next, s.recurrence.timezone)},
    };
}

json::value to_json(std::vector<schedule_report> const& reports) {
    json::array listed;
    for (auto const& report : reports) listed.push_back(to_json(report));
    return json::object{{"schedules", std::move(listed)}};
}

std::string times_to_text(std::vector<sys_time> const& times, std::string const& timezone) {
    std::string drawn;
    for (auto t : times) drawn += in_zone(t, timezone) + "\n";
    return drawn;
}

json::value times_to_json(std::vector<sys_time> const& times, std::string const& timezone) {
    json::array listed;
    for (auto t : times) listed.push_back(json::value(in_zone(t, timezone)));
    return listed;
}

} // namespace postrider::cli
