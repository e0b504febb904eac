#include "agent/tools/reminder_tools.hpp"

#include "agent/describe/bounds.hpp"
#include "agent/reminders/reminder.hpp"
#include "agent/talk/press.hpp"
#include "agent/tools/person_zone.hpp"
#include "queue/schedule_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent {

namespace {

using base::errc;
using base::error;

// Of the call's key: no two reminders of a database have the same.
constexpr std::size_t id_length = 16;

std::string usual_zone(tool_context const& context) {
    auto const& values = context.configuration().values;
    return values.has("timezone") ? values.text("timezone") : "UTC";
}

std::string words_of(reminder_time const& time, base::sys_time now) {
    if (!time.cron)
        return fmt::format("{} ({})", base::to_iso8601(time.at, time.zone), time.zone.name());
    queue::recurrence const recurrence{time.cron, std::nullopt, time.zone.name()};
    auto const upcoming = queue::next_times(recurrence, now, 1);
    return fmt::format(
        "{} ({}), next at {}",
        *time.cron,
        time.zone.name(),
        upcoming && !upcoming->empty() ? base::to_iso8601(upcoming->front(), time.zone) : "no time"
    );
}

} // namespace

std::vector<std::string> problems_of_reminders(tool_configuration const& configuration) {
    auto const zone = base::find_time_zone(configuration.values.text("timezone"));
    if (zone || zone.error() == errc::unavailable) return {};
    return {"timezone: " + zone.error().detail};
}

base::awaitable<base::result<base::time_zone>> zone_of_call(
    tool_context const& context, boost::json::object const& arguments
) {
    auto const* said = arguments.if_contains("timezone");
    if (said && !said->as_string().empty()) co_return read_zone(std::string(said->as_string()));
    auto const own = co_await zone_of_person(context);
    if (!own) co_return own.error();
    if (*own) co_return **own;
    co_return read_zone(usual_zone(context));
}

base::result<storage::reminder_owner> reminder_owner_of(tool_context const& context) {
    auto const& requester = context.requester();
    auto const to = address_of(requester);
    if (requester.user == user_id{} || !to.is_complete() || !context.reads())
        return error(errc::refused, "this run has no person to remind");
    return storage::reminder_owner{requester.user, place_of(to)};
}

base::result<storage::reminder_owner> changing_owner_of(tool_context const& context) {
    if (context.requester().is_silent)
        return error(errc::refused, "this run has no person, so it changes no reminders");
    return reminder_owner_of(context);
}

base::awaitable<base::result<std::vector<storage::reminder_row>>> reminders_of_person(
    tool_context const& context, user_id user
) {
    return storage::read_reminders(*context.reads(), user, bounds::longest_read);
}

base::awaitable<base::result<tool_output>> keep_reminder(
    tool_context& context, std::string text, reminder_time time
) {
    auto const owner = changing_owner_of(context);
    if (!owner) co_return owner.error();
    auto const others = co_await reminders_of_person(context, owner->user);
    if (!others) co_return others.error();
    // Those of tasks are as many as the tasks.
    auto const count = std::ranges::count_if(*others, [](storage::reminder_row const& other) {
        return !storage::is_of_a_task(other.id);
    });
    if (count >= most_reminders)
        co_return error(
            errc::too_large,
            fmt::format(
                "the person has {} reminders, which is the most; one must be cancelled first", count
            )
        );
    storage::new_reminder added;
    added.id = context.key().substr(0, id_length);
    added.owner = *owner;
    added.lane = context.job().lane;
    auto const to = address_of(context.requester());
    added.input = reminder_input(added.id, to, text, time.zone.name());
    added.cron = time.cron;
    added.at = time.at;
    added.timezone = time.zone.name();
    added.longest = longest_reminding;
    context.add(storage::add_reminder(added));
    auto const words = words_of(time, context.clock().now());
    context.add(receipt{"created", "reminder", added.id, words + ": " + text});
    co_return fmt::format("The reminder {} is set for {}: {}", added.id, words, text);
}

} // namespace postrider::agent
