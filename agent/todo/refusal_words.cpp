#include "agent/todo/refusal_words.hpp"

#include "agent/todo/dialogue.hpp"
#include "agent/todo/task_definitions.hpp"
#include "base/ids.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

namespace postrider::agent::todo {

std::string refusal_of(intent const& wish, no_task const& found) {
    switch (found.because) {
    case no_task::reason::not_said:
        return which_question(wish) + " Say its number or its title.";
    case no_task::reason::unknown_id:
        return fmt::format("There is no task {}.", wish.task.number);
    case no_task::reason::not_in_list:
        return "The list that I showed you last has no such place.";
    case no_task::reason::no_list:
        return "I do not know which list you mean. Say: what's on my list?";
    case no_task::reason::nothing_mentioned:
        return "I do not know which task you mean. Say its number or its title.";
    case no_task::reason::no_title:
        return fmt::format("{}\"{}\".", no_such_title, wish.task.title);
    case no_task::reason::all_of_them:
        return "I do not change everything at once. Name the tasks, by their numbers or titles.";
    }
    return {};
}

bool is_too_long(std::string_view title) {
    return base::count_characters(title) > longest_task_title();
}

std::string tell_too_long(std::string_view title) {
    return fmt::format(
        "A title has at most {} characters, and that one has {}.",
        longest_task_title(),
        base::count_characters(title)
    );
}

std::string tell_is_there(task const& open) {
    return fmt::format("It is there already: task {}, {}.", base::raw(open.id), open.title);
}

} // namespace postrider::agent::todo
