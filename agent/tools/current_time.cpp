#include "agent/language/utc_offset.hpp"
#include "agent/tools/person_zone.hpp"
#include "agent/tools/places.hpp"
#include "agent/tools/tool.hpp"

#include <fmt/format.h>

namespace postrider::agent {

namespace json = boost::json;

namespace {

// The person's own first.
std::string in_both(base::sys_time now, base::time_zone const& own) {
    return fmt::format(
        "{} ({}), {}", base::to_iso8601(now, own), own.name(), base::to_iso8601(now)
    );
}

base::awaitable<base::result<tool_output>> run_current_time(
    tool_context& context, json::object arguments
) {
    std::string zone;
    if (auto const* asked = arguments.if_contains("timezone")) zone = asked->as_string();
    auto const now = context.clock().now();
    if (zone.empty()) {
        auto const own = co_await zone_of_person(context);
        if (!own) co_return own.error();
        if (*own) co_return in_both(now, **own);
    }
    if (auto const offset = parse_utc_offset(zone)) co_return base::to_iso8601(now, *offset);
    auto const place_zone = find_place(zone);
    if (!place_zone)
        co_return base::error(
            place_zone.error().code,
            place_zone.error().detail + "; fixed offsets are such as +02:00"
        );
    auto time = base::to_iso8601(now, *place_zone);
    if (place_zone->name() != zone) time += " (" + place_zone->name() + ')';
    co_return time;
}

// Without one the person's own is read.
bool names_zone(json::object const& /*settings*/, json::object const& arguments) {
    auto const* zone = arguments.if_contains("timezone");
    return zone && zone->is_string() && !zone->get_string().empty();
}

} // namespace

extern constinit tool const current_time_tool{
    .name = "current_time",
    .title = "Current time",
    .documentation = R"(
        Tells an agent the date and the time, in the city, the country or the time zone that it
        asks for.)"_folded,
    .description = "Returns the current date and time in ISO 8601.",
    .arguments = R"({
        "type": "object",
        "properties": {
            "timezone": {
                "type": "string",
                "description": "Not written = the person's own where it is known, else UTC. A city or a country, an IANA name such as Europe/Berlin, or a fixed offset such as +02:00 or UTC-5."
            }
        },
        "additionalProperties": false
    })",
    .is_instant = names_zone,
    .run = run_current_time,
};

} // namespace postrider::agent
