#pragma once
// Tasks of people. Included by agent/todo/task_tools alone (a test greps it): other code
// calls a tool.
//
// Every function takes the owner and sees their tasks only; another person's task and a missing one
// are the same not_found. Ids count from 1 for each owner and are not used again. Titles are 1 to
// title_limit characters, or the call fails as poison. Times are the database's.
//
// A change under a key is done once: repeated, it changes nothing and returns the result recorded with
// the first (for 30 days); a key of another call is refused. A change and its record are one commit.
// conflict: the same task was changed in the same commit, and this change was not done.
//
// An open task with a due date to come has at most one reminder (storage/stores/task_reminders.hpp), made where the due
// date was first said. It is written by the commit of each change: a completed or deleted task has none,
// another date moves it, another title is what it says.
//
// Other failures: as batcher::commit() has them.
#include "base/clock.hpp"
#include "storage/stores/task_reminders.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

enum class task_id : std::int64_t {};

enum class task_priority : std::uint8_t { low, medium, high };
std::string_view to_string(task_priority priority) noexcept;
std::optional<task_priority> task_priority_from_string(std::string_view name) noexcept;

inline constexpr std::size_t task_title_limit = 500; // characters
inline constexpr std::size_t task_key_limit = 200;   // characters
inline constexpr int longest_task_page = 500;

struct task_due {
    base::sys_time at;
    bool whole_day = false; // only a day was said: `at` is 9 o'clock of it
};

struct task_row {
    task_id id{};
    std::string title;
    task_priority priority = task_priority::medium;
    std::optional<task_due> due;
    base::sys_time created_at;
    std::optional<base::sys_time> completed_at; // nothing: open
};

// Whose tasks, and which call asks for the change.
struct task_call {
    user_id owner{};
    std::string key = {};    // "" = a call that nobody repeats
    std::string digest = {}; // of the tool and its arguments
    // Nothing: it comes from no place where the person could be reminded. Needs a key.
    std::optional<task_reminding> reminding = {};
};

struct task_content {
    std::string title;
    task_priority priority = task_priority::medium;
    std::optional<task_due> due = {};
};

struct task_changes {
    std::string title;
    std::optional<task_priority> priority = {};      // nothing: stays
    std::optional<std::optional<task_due>> due = {}; // nothing: stays; an empty one: no due date
};

// All of these write in batches of their own kind: they lock owners in order, so `writes` serves
// nothing else that locks.
base::awaitable<base::result<task_row>> create_task(
    batcher& writes, task_call by, task_content const& content, base::duration deadline
);
base::awaitable<base::result<task_row>> change_task(
    batcher& writes, task_call by, task_id task, task_changes changes, base::duration deadline
);
// A completed one stays as it is.
base::awaitable<base::result<task_row>> complete_task(
    batcher& writes, task_call by, task_id task, base::duration deadline
);
// The task as it was.
base::awaitable<base::result<task_row>> delete_task(
    batcher& writes, task_call by, task_id task, base::duration deadline
);

base::awaitable<base::result<task_row>> read_task(
    batcher& reads, user_id owner, task_id task, base::duration deadline
);

enum class task_status : std::uint8_t { all, open, completed, overdue };
std::string_view to_string(task_status status) noexcept;
std::optional<task_status> task_status_from_string(std::string_view name) noexcept;

struct task_filter {
    task_status status = task_status::all;
    std::optional<task_priority> priority = {};
    std::string search = {};                       // in the title, whatever its case; "" = any
    std::optional<base::sys_time> due_from = {};   // the first instant
    std::optional<base::sys_time> due_before = {}; // the first instant that is too late
    task_id after{};                               // only those with a greater id
    int most = 100;                                // 1 to longest_task_page
};

struct task_page {
    std::vector<task_row> tasks; // by id
    bool more = false;           // behind them
    std::int64_t total = 0; // that match, whatever `after` and `most` are; 0 behind the last one
};
base::awaitable<base::result<task_page>> list_tasks(
    batcher& reads, user_id owner, task_filter filter, base::duration deadline
);

} // namespace postrider::storage
