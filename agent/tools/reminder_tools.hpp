#pragma once
// What the tools remind, schedule, list_reminders and cancel_reminder share. Private to agent/tools.
#include "agent/tools/tool.hpp"
#include "base/time_zone.hpp"
#include "storage/stores/reminders.hpp"

#include <array>

// Arguments of the calls of both that make reminders, as members of their schemas.
#define REMINDER_TEXT                                                                              \
    R"({"type": "string", "minLength": 1, "maxLength": 1000, "description": "What the person is reminded of, in their language and addressed to them."})"
#define REMINDER_TIMEZONE                                                                          \
    R"({"type": "string", "maxLength": 100, "description": "The city, country or zone that the person names for this reminder, such as Europe/Berlin. Not written = the person's own."})"

namespace postrider::agent {

// The operator's row: the zone of people who name none and have set none.
inline constexpr std::array reminder_settings{base::setting{
    .key = "timezone",
    .fallback = "UTC",
    .help = "whose wall clock is meant where the person named no zone and has set none: "
            "`Europe/Berlin`"}};
std::vector<std::string> problems_of_reminders(tool_configuration const& configuration);

// Of the call's argument "timezone", else the person's or the bot's, else as the operator says of the
// tool. Errors say what to write.
base::awaitable<base::result<base::time_zone>> zone_of_call(
    tool_context const& context, boost::json::object const& arguments
);

// refused: nobody asks here.
base::result<storage::reminder_owner> reminder_owner_of(tool_context const& context);
// The same for a call that changes reminders: also refused where the execution answers nobody.
base::result<storage::reminder_owner> changing_owner_of(tool_context const& context);

// The person's reminders, of every place. Errors as storage::read_reminders().
base::awaitable<base::result<std::vector<storage::reminder_row>>> reminders_of_person(
    tool_context const& context, user_id user
);

struct reminder_time {
    std::optional<std::string> cron = {}; // else once,
    base::sys_time at{};                  // then
    base::time_zone zone;
};

// Adds it to what the call writes, with a receipt, and says so. too_large: the person has as many as
// one may.
base::awaitable<base::result<tool_output>> keep_reminder(
    tool_context& context, std::string text, reminder_time time
);

} // namespace postrider::agent
