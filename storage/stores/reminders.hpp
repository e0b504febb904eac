#pragma once
// Reminders: schedules of the kind `reminder`, whose job speaks where they were made. Each belongs to
// a person and a place, and is found by both or not at all.
//
// A reminder's jobs run in a lane beside its chat's: neither does a turn that waits for somebody
// delay them, nor does a mailbox take them for messages. Rows are written within other rooms'
// commits; one that is added a second time stays as it is.
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/object.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

inline constexpr std::string_view reminder_kind = "reminder";

struct reminder_owner {
    user_id user{};
    std::string place; // BOT:CHAT or chat:CONVERSATION

    bool operator==(reminder_owner const&) const = default;
};

struct new_reminder {
    std::string id; // of letters and digits
    reminder_owner owner;
    lane_id lane{};                  // of the conversation in which it was made
    boost::json::object input;       // of its jobs; "user", "place" and "lane" are put into it
    std::optional<std::string> cron; // else it comes once,
    base::sys_time at{};             // then
    std::string timezone = "UTC";
    std::chrono::milliseconds longest{}; // a job that could not speak so long fails
};

// Order 67; returns no row.
write add_reminder(new_reminder const& reminder);
// Nothing happens where there is none of this owner. Order 68; returns no row.
write remove_reminder(std::string_view id, reminder_owner const& owner);
// For the job of one that comes once: it is over, unless it was put off meanwhile. Order 69; returns no row.
write end_reminder(std::string_view id);

// The id is of a due date's reminder (storage/stores/tasks.hpp); no other begins so.
inline bool is_of_a_task(std::string_view id) {
    return id.starts_with("task");
}

struct reminder_row {
    std::string id;
    std::string place;
    std::string text; // "text" of its input
    std::optional<std::string> cron;
    std::optional<base::sys_time> at;
    std::string timezone;
    std::optional<base::sys_time> next_at; // nothing: the scheduler has not yet seen it
    bool paused = false;
    std::string error; // of the scheduler; "" = none
};

// All that a person has anywhere and that are still to come, by their ids. Fails as batcher::commit().
base::awaitable<base::result<std::vector<reminder_row>>> read_reminders(
    batcher& reads, user_id user, base::duration deadline
);

} // namespace postrider::storage
