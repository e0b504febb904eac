#include "server/views/schedule_json.hpp"

#include "base/time_zone.hpp"
#include "server/views/json_values.hpp"

namespace postrider::server {

namespace json = boost::json;

using base::sys_time;

namespace {

json::value exact_time_or_null(std::optional<sys_time> time) {
    return time ? json::value(base::to_iso8601(*time, true)) : json::value();
}

json::value text_value(std::string_view text) {
    return json::value(json::string_view(text.data(), text.size()));
}

} // namespace

schedule_report report_of(queue::schedule schedule, sys_time now, std::size_t count) {
    schedule_report report{std::move(schedule), {}};
    auto const& s = report.schedule;
    if (state_of(s) != "active") return report;
    if (s.next_at) report.next.push_back(*s.next_at);
    auto more = queue::next_times(s.recurrence, s.next_at.value_or(now), count);
    if (more) report.next.insert(report.next.end(), more->begin(), more->end());
    report.next.resize(std::min(report.next.size(), count));
    return report;
}

std::string state_of(queue::schedule const& schedule) {
    if (!schedule.error.empty()) return "error";
    if (schedule.paused_at) return "paused";
    return schedule.ended ? "ended" : "active";
}

std::string time_in_zone(sys_time time, std::string const& timezone) {
    auto const zone = base::find_time_zone(timezone);
    return zone ? base::to_iso8601(time, *zone) : base::to_iso8601(time);
}

json::array times_json(std::vector<sys_time> const& times, std::string const& timezone) {
    json::array listed;
    for (auto const time : times) listed.push_back(json::value(time_in_zone(time, timezone)));
    return listed;
}

json::object schedule_json(schedule_report const& report) {
    auto const& s = report.schedule;
    return {
        {"name", s.name},
        {"kind", s.kind},
        {"input", s.input},
        {"lane", s.lane_key.value_or("schedule:" + s.name)},
        {"cron", or_null(s.recurrence.cron)},
        {"at", exact_time_or_null(s.recurrence.at)},
        {"timezone", s.recurrence.timezone},
        {"missed", text_value(to_string(s.missed))},
        {"overlap", text_value(to_string(s.overlap))},
        {"time_limit_ms", s.deadline ? json::value(s.deadline->count()) : json::value()},
        {"state", state_of(s)},
        {"error", text_or_null(s.error)},
        {"runs", s.runs},
        {"last_at", exact_time_or_null(s.last_at)},
        {"last_job", s.last_job ? json::value(base::raw(*s.last_job)) : json::value()},
        {"next", times_json(report.next, s.recurrence.timezone)}};
}

} // namespace postrider::server
