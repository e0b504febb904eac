#include "agent/todo/refusal_words.hpp"

#include "agent/todo/dialogue.hpp"
#include "agent/todo/task_definitions.hpp"
#include "base/ids.hpp"
#include "base/utf8.hpp"

namespace postrider::agent::todo {

std::string refusal_of(intent const& intent, no_task const& refusal, replies const& words) {
    switch (refusal.because) {
    case no_task::reason::not_said:
        return which_question(intent, words) + ' ' + std::string(words.say_which);
    case no_task::reason::unknown_id:
        return in_words(words.unknown_id, intent.task.number);
    case no_task::reason::not_in_list:
        return std::string(words.no_place);
    case no_task::reason::no_list:
        return std::string(words.no_list);
    case no_task::reason::nothing_mentioned:
        return std::string(words.nothing_mentioned);
    case no_task::reason::no_title:
        return in_words(words.no_title, intent.task.title);
    case no_task::reason::all_of_them:
        return std::string(words.not_all);
    }
    return {};
}

bool is_too_long(std::string_view title) {
    return base::count_characters(title) > longest_task_title();
}

std::string tell_too_long(std::string_view title, replies const& words) {
    return in_words(words.too_long, longest_task_title(), base::count_characters(title));
}

std::string tell_is_there(task const& open, replies const& words) {
    return in_words(words.is_there, base::raw(open.id), open.title);
}

} // namespace postrider::agent::todo
