#include "agent/tools/tool.hpp"
#include "agent/tools/utc_offset.hpp"
#include "base/time_zone.hpp"

namespace postrider::agent {

namespace {

base::awaitable<base::result<tool_output>> run_current_time(
    tool_context& context, boost::json::object arguments
) {
    std::string zone;
    if (auto const* asked = arguments.if_contains("timezone")) zone = asked->as_string();
    auto const now = context.clock().now();
    if (auto const offset = parse_utc_offset(zone)) co_return base::to_iso8601(now, *offset);
    auto const named = base::find_time_zone(zone);
    if (!named)
        co_return base::error(
            named.error().code, named.error().detail + "; fixed offsets are such as +02:00"
        );
    co_return base::to_iso8601(now, *named);
}

} // namespace

extern constinit tool const current_time_tool{
    .name = "current_time",
    .title = "Current time",
    .documentation = "Tells an agent the date and the time, in the time zone that it asks for.",
    .description = "Returns the current date and time in ISO 8601.",
    .arguments = R"({
        "type": "object",
        "properties": {
            "timezone": {
                "type": "string",
                "description": "UTC (the default), an IANA name such as Europe/Berlin, or a fixed offset such as +02:00 or UTC-5."
            }
        },
        "additionalProperties": false
    })",
    .run = run_current_time,
};

} // namespace postrider::agent
