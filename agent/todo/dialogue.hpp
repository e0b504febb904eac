#pragma once
// What earlier messages of a conversation leave open: the list last shown, the task last spoken of,
// and a question "which one?" that the next message may answer. Read from the messages alone, so
// that any process takes the next one, and whoever answered before: the rules or a model. In a group
// each of these belongs to the person that it was an answer to: numbers are of that person's tasks. Pure.
#include "agent/models/model.hpp"
#include "agent/todo/task.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::todo {

struct open_question {
    intent::kind action = intent::kind::unknown;
    std::string message;     // that it is about
    std::size_t offered = 0; // tasks that it names; they are the list last shown then
};

struct dialogue {
    std::vector<task_id> shown; // in their order
    std::optional<task_id> mentioned;
    std::optional<open_question> question; // "which one?"
};

// `speaker`: who is answered now.
// What an answer leaves open (chat_message::left_open): the question that it asks, and the tasks that it
// offers; or that it speaks of a task which was not found, so that "it" would be no other one.
struct left_open {
    std::optional<intent::kind> asks;
    std::vector<task_id> offered;
    bool missed = false;
};
boost::json::value to_json(left_open const& open);

dialogue read_dialogue(std::span<chat_message const> earlier, user_id speaker);

// Without the turns of other people in which tasks were looked at or changed. A model, too, would take
// "the second one" for the place in a list that somebody else was shown.
std::vector<chat_message> without_tasks_of_others(
    std::vector<chat_message> earlier, user_id speaker
);

// "Which one shall I delete?" The answer to a request that may mean several tasks begins with it.
std::string which_question(intent const& intent, replies const& words);

} // namespace postrider::agent::todo
