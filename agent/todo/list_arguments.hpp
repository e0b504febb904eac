#pragma once
// Arguments of calls that the rules make, from what was asked. Days and times are those of the zone.
// Private to agent/todo. Pure.
#include "agent/todo/task.hpp"
#include "base/time_zone.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace postrider::agent::todo {

// "2026-12-24", or a time with its offset.
std::string due_argument(due_time const& due, base::time_zone const& zone);
// The due date that a task has, moved; of a task without one, from now on. Days are counted by the calendar.
std::string shifted_due(
    std::string_view due, due_shift shift, base::sys_time now, base::time_zone const& zone
);
boost::json::object creation_arguments(intent const& intent, base::time_zone const& zone);
boost::json::object list_arguments(
    intent const& intent, base::sys_time now, base::time_zone const& zone
);

// What a person reads where such a list has nothing.
std::string empty_list_text(intent const& intent, replies const& words);

} // namespace postrider::agent::todo
