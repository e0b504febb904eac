#include "agent/flow/nodes/describe.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::flow {

namespace {

trigger_opening open_schedule(boost::json::object const& parameters) {
    boost::json::value const whole(parameters);
    base::json_reader const from(whole);
    schedule_opening times;
    if (from["cron"]) times.recurrence.cron = from["cron"].string_or("");
    if (from["at"]) times.recurrence.at = base::from_iso8601(from["at"].string_or(""));
    times.recurrence.timezone = from["timezone"].string_or("UTC");
    if (auto missed = queue::missed_policy_from_string(from["missed"].string_or("")))
        times.missed = *missed;
    if (auto overlap = queue::overlap_policy_from_string(from["overlap"].string_or("")))
        times.overlap = *overlap;
    return times;
}

} // namespace

node_type describe_schedule() {
    return {
        .name = "schedule",
        .group = group::trigger,
        .title = "Schedule",
        .documentation = R"(
            Starts an execution at the times of a cron expression, or once at an instant. Its item
            has the planned time, `at`. `overlap` decides what happens if an earlier execution still
            runs; `settings.lane` puts its executions in line with others.)"_folded,
        .outputs = {main_output()},
        .parameters = one_of(
            parameters(R"({
            "cron": {
                "title": "Cron expression",
                "description": "Minute, hour, day of the month, month, day of the week: 0 9 * * mon-fri.",
                "type": "string",
                "x-format": "cron",
                "x-expression": false
            },
            "at": {
                "title": "Once at",
                "description": "An instant: 2026-11-21T08:53:00Z.",
                "type": "string",
                "x-format": "instant",
                "x-expression": false
            },
            "timezone": {
                "title": "Time zone",
                "description": "Of the cron expression, by its IANA name.",
                "type": "string",
                "default": "UTC",
                "x-format": "timezone",
                "x-expression": false
            },
            "missed": {
                "title": "Missed times",
                "description": "Handling of times that passed while no server ran: nothing, one execution for all, or one for each.",
                "enum": ["skip", "once", "all"],
                "default": "once",
                "x-expression": false
            },
            "overlap": {
                "title": "Overlap",
                "description": "Handling of a time that comes while the last execution still runs: the next one waits, or is skipped.",
                "enum": ["queue", "skip"],
                "default": "queue",
                "x-expression": false
            }
        })"),
            {"cron", "at"}
        ),
        .behaviour =
            trigger{
                .source = trigger_source::elsewhere,
                .open = open_schedule,
                .item = item_fields(R"({
                    "at": {"type": "string", "description": "The scheduled time in UTC: 2026-11-21T08:53:00Z."}
                })"),
            },
    };
}

} // namespace postrider::agent::flow
