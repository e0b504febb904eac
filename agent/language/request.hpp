#pragma once
// What a message asks of the todo agent: a list of intents in their order, each with what its tool
// needs. A value; the tasks themselves are not known here, so a task is only referred to
// (agent/todo/resolve finds it).
#include "base/clock.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::language {

// Per user, from 1: what a person types.
enum class task_id : std::int64_t {};

enum class priority : std::uint8_t { low, medium, high };

struct due_time {
    base::sys_time at;
    // Only a day was said: `at` is the time of that day at which people are reminded.
    bool whole_day = false;

    bool operator==(due_time const&) const = default;
};

// Whole days in the person's zone; an end may be open.
struct day_span {
    std::optional<std::chrono::local_days> from = {};
    std::optional<std::chrono::local_days> before = {}; // the day behind the last

    bool operator==(day_span const&) const = default;
};

// How far a due date is moved. The months go first, by the calendar.
struct due_shift {
    int months = 0;
    std::chrono::seconds length{0};

    bool operator==(due_shift const&) const = default;
};

struct task_reference {
    enum class kind : std::uint8_t {
        none,      // not said
        id,        // "3", "task two"
        position,  // "the second one", in the list last shown
        from_end,  // "the last one": 1 is the last
        mentioned, // "it", "that one"
        title,     // "the milk"
        all,       // "everything": no tool does that
    };
    kind by = kind::none;
    std::int64_t number = 0;
    std::string title = {};
    bool exact = false; // the title stood in quotes
    // "the milk and the bread" may be a title, or two: those two.
    std::vector<std::string> parts = {};
    // The person says to have done it, in one of these verbs: the task that has one of them beside the title.
    std::vector<std::string> verbs = {};
};

enum class list_filter : std::uint8_t {
    all,
    open,
    completed,
    overdue,
    today,
    tomorrow,
    this_week,
    high
};

struct intent {
    enum class kind : std::uint8_t {
        unknown, // nothing that is understood, or not clearly: it is asked, nothing is done
        create,
        get,
        list,
        update,
        complete,
        remove,
        help,
        greeting,
        thanks,
    };
    kind action = kind::unknown;
    task_reference task = {};             // get, update, complete, remove
    std::string title = {};               // create, update: the new one; "" = not said
    std::optional<due_time> due = {};     // create; update: the new one
    std::optional<due_shift> shift = {};  // update: from the due date that the task has
    std::optional<priority> urgency = {}; // create; update: the new one
    bool due_passed = false;    // the time that was said lies in the past; there is no `due`
    bool due_unread = false;    // create: a time was said that is none; it stays in the title
    bool unless_listed = false; // create: not where an open task is called so
    bool recurring = false;     // "every Monday": no due date, it stays in the title
    list_filter filter = list_filter::all;
    std::optional<day_span> days = {}; // list: due on these, where no filter says so
    std::string unread = {};           // list: a time that was said and is none; nothing is shown
    std::string search = {};           // list: words of the titles
    bool confirmed = false;            // update, remove: the same message says yes
};

struct request {
    std::vector<intent> intents;    // never empty
    std::string_view language = {}; // "en", of the first intent that was understood
    // Something else was said beside, in words that may take it back: nothing is done, only asked.
    bool doubtful = false;
    // Something was said beside that is not understood, and takes nothing back.
    bool partly = false;
};

std::string_view to_string(intent::kind action) noexcept;
std::string_view to_string(list_filter filter) noexcept;
std::string_view to_string(priority urgency) noexcept;
// The other way; nothing: no such name.
std::optional<intent::kind> action_named(std::string_view name) noexcept;
std::optional<list_filter> filter_named(std::string_view name) noexcept;
std::optional<priority> priority_named(std::string_view name) noexcept;

// False of an update that sets a due date or a priority, and says no title.
bool renames(intent const& intent) noexcept;

// True of what changes a task.
bool mutates(intent::kind action) noexcept;

} // namespace postrider::agent::language
