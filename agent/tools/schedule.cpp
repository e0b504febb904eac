#include "agent/reminders/recurrence.hpp"
#include "agent/tools/reminder_tools.hpp"

namespace postrider::agent {

namespace {

base::awaitable<base::result<tool_output>> run_schedule(
    tool_context& context, boost::json::object arguments
) {
    auto const zone = co_await zone_of_call(context, arguments);
    if (!zone) co_return zone.error();
    std::string const words(arguments.at("when").as_string());
    auto cron = read_recurrence(words);
    if (!cron) co_return cron.error();
    std::string text(arguments.at("text").as_string());
    reminder_time time{.cron = std::move(*cron), .zone = *zone};
    co_return co_await keep_reminder(context, std::move(text), std::move(time));
}

} // namespace

extern constinit tool const schedule_tool{
    .name = "schedule",
    .title = "Schedule",
    .documentation = R"(
        Lets an agent remind the person again and again, such as every weekday at 9. The reminder
        speaks where it was made, until it is cancelled.)"_folded,
    .description = R"(
        Sends the person a reminder here again and again, by the person's wall clock. Use remind for
        what comes once. Returns the reminder's id, its times as a cron expression and the next of
        them.)"_folded,
    .arguments = R"({
        "type": "object",
        "properties": {
            "text": )" REMINDER_TEXT R"(,
            "when": {
                "type": "string",
                "minLength": 1,
                "maxLength": 100,
                "description": "In English: every weekday at 9, every monday and thursday at 18:30, every month on the 1st at 10, every 2 hours. Or a cron expression: 0 9 * * 1-5."
            },
            "timezone": )" REMINDER_TIMEZONE R"(
        },
        "required": ["text", "when"],
        "additionalProperties": false
    })",
    .configuration = reminder_settings,
    .problems = problems_of_reminders,
    .risk = risk::medium,
    .run = run_schedule,
};

} // namespace postrider::agent
