#include "agent/reminders/moment.hpp"
#include "agent/tools/reminder_tools.hpp"

namespace postrider::agent {

namespace {

base::awaitable<base::result<tool_output>> run_remind(
    tool_context& context, boost::json::object arguments
) {
    auto const zone = co_await zone_of_call(context, arguments);
    if (!zone) co_return zone.error();
    std::string const words(arguments.at("when").as_string());
    auto const at = read_moment(words, context.clock().now(), *zone);
    if (!at) co_return at.error();
    std::string text(arguments.at("text").as_string());
    reminder_time time{.at = *at, .zone = *zone};
    co_return co_await keep_reminder(context, std::move(text), std::move(time));
}

} // namespace

extern constinit tool const remind_tool{
    .name = "remind",
    .title = "Remind",
    .documentation = R"(
        Lets an agent remind the person once, at a time. The reminder speaks where it was made, also
        after a restart of the server.)"_folded,
    .description = R"(
        Sends the person a reminder here, once, at a time to come. Ask for the time if none was
        said. Use schedule for what recurs. Returns the reminder's id and the exact time, which the
        answer must tell.)"_folded,
    .arguments = R"({
        "type": "object",
        "properties": {
            "text": )" REMINDER_TEXT R"(,
            "when": {
                "type": "string",
                "minLength": 1,
                "maxLength": 100,
                "description": "2026-12-24T18:00, or words as the person said them: in 10 minutes, tomorrow at 9, next friday at 18:30."
            },
            "timezone": )" REMINDER_TIMEZONE R"(
        },
        "required": ["text", "when"],
        "additionalProperties": false
    })",
    .configuration = reminder_settings,
    .problems = problems_of_reminders,
    .risk = risk::medium,
    .run = run_remind,
};

} // namespace postrider::agent
