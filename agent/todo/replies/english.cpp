#include "agent/todo/reply_words.hpp"
#include "base/date_names.hpp"

namespace postrider::agent::todo {

extern constinit reply_words const english_replies{
    .language = "en",
    .created = "Created task: {0}",
    .completed = "Completed task: {0}",
    .deleted = "Deleted task: {0}",
    .renamed = "Renamed task {0} to: {1}",
    .changed = "Changed task {0} to: {1} ({2})",
    .due = "due: {0}",
    .no_due = "no due date",
    .priority = "priority: {0}",
    .title = "title: {0}",
    .priorities = {"low", "medium", "high"},
    .nothing_changed = "Nothing was changed.",
    .nothing_else_changed = "Nothing else was changed.",
    .may_delete = "Are you sure you want to delete task {0}? (yes/no)",
    .may_rename = "Are you sure you want to rename task {0}? (yes/no)",
    .may_change = "Are you sure you want to change task {0}? (yes/no)",
    .which_get = "Which one shall I show?",
    .which_rename = "Which one shall I rename?",
    .which_change = "Which one shall I change?",
    .which_complete = "Which one shall I complete?",
    .which_remove = "Which one shall I delete?",
    .ask_which = "Which one?",
    .say_which = "Say its number or its title.",
    .what_to_add = "What shall I add? Say: add buy milk",
    .what_to_call = "What shall task {0} be called? Say: rename {0} to …",
    .details = "Task {0}: {1}\nStatus: {2}\nPriority: {3}",
    .open = "open",
    .done = "completed",
    .detail_due = "Due: {0}",
    .line_due = "(due {0})",
    .more = "… and {0} more",
    .empty_list = "Your list is empty.",
    .none_today = "Nothing is due today.",
    .none_tomorrow = "Nothing is due tomorrow.",
    .none_this_week = "Nothing is due this week.",
    .none_high = "No task has a high priority.",
    .none_open = "No task is open.",
    .none_completed = "No task is completed.",
    .none_overdue = "No task is overdue.",
    .none_found = "There is no task with \"{0}\" in its title.",
    .unknown_id = "There is no task {0}.",
    .gone = "There is no task {0} any more.",
    .no_place = "The list that I showed you last has no such place.",
    .no_list = "I do not know which list you mean. Say: what's on my list?",
    .nothing_mentioned = "I do not know which task you mean. Say its number or its title.",
    .not_all = "I do not change everything at once. Name the tasks, by their numbers or titles.",
    .no_title = "I found no task that is called ",
    .too_long = "A title has at most {0} characters, and that one has {1}.",
    .is_there = "It is there already: task {0}, {1}.",
    .passed = "The time that you said has passed, so the task has no due date.",
    .passed_for = "The time that you said has passed, so task {0} is unchanged.",
    .unread_time = "I did not understand the time, so the task has no due date.",
    .no_repetition = "I cannot repeat tasks, so this one is there once.",
    .stays = "Task {0} is unchanged.",
    .stays_unanswered = "Task {0} is unchanged: there was no answer in time.",
    .stays_unclear = "Task {0} is unchanged: that was not a yes.",
    .untouched = "I did not touch task {0}.",
    .not_renamed = "I did not rename task {0} to: {1}",
    .unreadable = "I could not read your tasks.",
    .doubtful =
        "I am not sure what you want, so I changed nothing. Say it in a sentence of its own, such "
        "as \"complete task 2\".",
    .doubtful_rest = "I am not sure what else you want. Say it in a sentence of its own.",
    .partly = "I did not understand the rest of that.",
    .not_understood = "I did not understand that.",
    .nothing_waits = "There is nothing that waits for a yes or a no.",
    .kept = "I changed nothing.",
    .unfinished = "I could not finish that: my language model does not answer.",
    .message_too_long =
        "That is too long for me: I understand messages of up to {0} bytes, and the title of "
        "a task has at most {1} characters.",
    .hello = "Hello!",
    .welcome = "You are welcome.",
    .examples = "I keep your tasks. Try:\n"
                "• add buy milk\n"
                "• remind me to call Ann tomorrow at 9\n"
                "• what's on my list?\n"
                "• show task 1\n"
                "• rename task 1 to buy oat milk\n"
                "• done with the milk\n"
                "• delete task 1",
    .weekdays = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"},
    .months = base::month_names,
    .day = "{0}, {1} {2} {3}",
    .time = "{0}, {1}",
};

} // namespace postrider::agent::todo
