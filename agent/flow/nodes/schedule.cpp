#include "agent/flow/nodes/describe.hpp"

namespace postrider::agent::flow {

node_type describe_schedule() {
    return {
        .name = "schedule",
        .group = group::trigger,
        .title = "Schedule",
        .documentation = "Starts an execution at the times of a cron expression, or once at an "
                         "instant. Its item "
                         "has the time `at` which it was to run.",
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
                "description": "What becomes of times at which no server ran: nothing, one execution for all, one for each.",
                "enum": ["skip", "once", "all"],
                "default": "once",
                "x-expression": false
            },
            "overlap": {
                "title": "Overlap",
                "description": "What happens when the last execution is not over: the next waits, or is left out.",
                "enum": ["queue", "skip"],
                "default": "queue",
                "x-expression": false
            }
        })"),
            {"cron", "at"}
        ),
        .behaviour = trigger{trigger_source::elsewhere},
    };
}

} // namespace postrider::agent::flow
