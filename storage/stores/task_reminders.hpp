#pragma once
// Reminders of due dates, which the commits of tasks write (storage/stores/tasks.hpp): reminders as of
// storage/stores/reminders.hpp, named after their task, so that each has one at most.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

// Where the person is reminded of a due date that a call sets.
struct task_reminding {
    std::string place;                   // as of reminder_owner
    lane_id lane{};                      // of the conversation there
    boost::json::object input = {};      // of its job, but for the text and whose it is
    std::chrono::milliseconds longest{}; // as of new_reminder
};

struct reminded_task {
    user_id owner{};
    std::optional<std::int64_t> task; // nothing: the new one
    std::string_view key;             // of the call that makes it
};

// Makes the reminder of the task as the task is now, behind what changes it. One that has none gets one
// where there is a place. Order 71; returns no row.
write follow_due_date(reminded_task const& of, std::optional<task_reminding> const& reminding);

} // namespace postrider::storage
