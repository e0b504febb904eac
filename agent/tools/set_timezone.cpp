#include "agent/tools/person_zone.hpp"
#include "agent/tools/tool.hpp"
#include "storage/stores/persons.hpp"

#include <fmt/format.h>

namespace postrider::agent {

namespace {

base::awaitable<base::result<tool_output>> run_set_timezone(
    tool_context& context, boost::json::object arguments
) {
    auto const& person = context.requester();
    if (person.user == user_id{})
        co_return base::error(
            base::errc::refused, "this run has no person whose time zone it could set"
        );
    if (person.is_silent)
        co_return base::error(base::errc::refused, "this run has no person, so it sets nothing");
    auto const zone = read_zone(std::string(arguments.at("timezone").as_string()));
    if (!zone) co_return zone.error();
    context.add(storage::set_timezone(person.user, zone->name()));
    context.add(receipt{"updated", "time zone", zone->name(), zone->name()});
    co_return fmt::format(
        "The person's time zone is {} from now on; it is {} there. Existing reminders keep "
        "their times.",
        zone->name(),
        base::to_iso8601(context.clock().now(), *zone)
    );
}

} // namespace

extern constinit tool const set_timezone_tool{
    .name = "set_timezone",
    .title = "Set time zone",
    .documentation = R"(
        Lets an agent keep the time zone that a person names. Times and reminders of that person go by it
        from then on, in every chat; due dates of tasks go by `budgets.timezone`.)"_folded,
    .description = R"(
        Keeps the person's own time zone, for good: call it when the person says where they live, where
        they are now, or which time zone they mean. Times and reminders go by it from then on.)"_folded,
    .arguments = R"({
        "type": "object",
        "properties": {
            "timezone": {
                "type": "string",
                "minLength": 1,
                "maxLength": 100,
                "description": "The person's city, country, IANA name such as Europe/Berlin, or offset of whole hours such as +02:00."
            }
        },
        "required": ["timezone"],
        "additionalProperties": false
    })",
    .risk = risk::medium,
    .run = run_set_timezone,
};

} // namespace postrider::agent
