#include "agent/tools/reminder_tools.hpp"

#include <algorithm>

namespace postrider::agent {

namespace {

// Of another person's reminder nobody learns that it exists.
base::awaitable<base::result<tool_output>> run_cancel(
    tool_context& context, boost::json::object arguments
) {
    auto const owner = changing_owner_of(context);
    if (!owner) co_return owner.error();
    auto const reminders = co_await reminders_of_person(context, owner->user);
    if (!reminders) co_return reminders.error();
    std::string const id(arguments.at("id").as_string());
    auto const match = std::ranges::find_if(*reminders, [&](storage::reminder_row const& reminder) {
        return reminder.id == id && reminder.place == owner->place;
    });
    if (match == reminders->end())
        co_return base::error(
            base::errc::not_found,
            "the person has no such reminder here; list_reminders lists the ids"
        );
    context.add(storage::remove_reminder(id, *owner));
    context.add(receipt{"cancelled", "reminder", id, match->text});
    co_return "The reminder is cancelled: " + match->text;
}

} // namespace

extern constinit tool const cancel_reminder_tool{
    .name = "cancel_reminder",
    .title = "Cancel a reminder",
    .documentation = R"(
        Lets an agent cancel a reminder that the person has in this conversation, once or
        recurring.)"_folded,
    .description = "Cancels one of the person's reminders, whether it comes once or recurs.",
    .arguments = R"({
        "type": "object",
        "properties": {
            "id": {
                "type": "string",
                "minLength": 1,
                "maxLength": 100,
                "description": "The id from list_reminders or from the tool that set the reminder."
            }
        },
        "required": ["id"],
        "additionalProperties": false
    })",
    .risk = risk::medium,
    .run = run_cancel,
};

} // namespace postrider::agent
