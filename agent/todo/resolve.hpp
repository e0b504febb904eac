#pragma once
// Which task a reference means, by the tasks that the tools returned and the list last shown. Pure.
//
// A title is found when every word of the reference but fillers ("the", "task") stands in it, slips
// of a letter or two allowed; a title that is the reference goes before one that only holds it. Less
// than that is never enough to act on: then the tasks that come near are candidates to ask about.
// What somebody says to have done is an open task that has the verb, too.
#include "agent/todo/task.hpp"

#include <span>
#include <variant>
#include <vector>

namespace postrider::agent::todo {

struct conversation_view {
    std::span<task const> tasks;      // all that the person has
    std::span<task_id const> shown;   // the list last shown, in its order
    std::optional<task_id> mentioned; // by the last request or answer
    // A title's first word alone is only near: in languages whose titles begin with a verb. What is
    // done at once is not done by "call finished" or "the day is done".
    bool verbs_name_nothing = false;
    // A word that is another with a slip is only near, too: "the cook" is hardly the book.
    bool slips_name_nothing = false;
    // What is asked for is of no use to a task that is completed: none is offered, and one is meant only where no
    // other fits.
    bool for_open_tasks = false;
};

struct which_task {
    std::vector<task> candidates; // "which one?": several, or one that only comes near
};

struct no_task {
    enum class reason {
        not_said, // no task was named
        unknown_id,
        not_in_list, // "the fifth one" of three
        no_list,     // "the second one", and none was shown
        nothing_mentioned,
        no_title,
        all_of_them, // one at a time
    };
    reason because = reason::not_said;
};

using resolution = std::variant<task, which_task, no_task>;

resolution resolve(task_reference const& reference, conversation_view const& view);

// The same for a reference that may be several titles: when no task has the whole, and each part is
// one task, these; else what resolve() says.
std::vector<resolution> resolve_all(task_reference const& reference, conversation_view const& view);

} // namespace postrider::agent::todo
