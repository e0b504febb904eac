#pragma once
// Tasks as the results of the todo tools tell of them. Pure.
#include "agent/todo/task.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::todo {

struct told_task {
    todo::task task;
    // After an update: what the call has set beside the title.
    bool sets_due = false;
    bool sets_priority = false;
};

struct told_list {
    std::vector<told_task> tasks;
    std::int64_t total = 0;
    std::optional<std::int64_t> next; // there are more: where they begin
};

// Nothing: the text is no such result.
std::optional<told_task> task_in(std::string_view result);
std::optional<told_list> list_in(std::string_view result);

// What a person reads of them.
std::string details_of(told_task const& task, replies const& words = replies_in("en"));
// A line each, with the number that it is called by: "#3 Buy milk".
std::string line_of(task const& listed);
std::string lines_of(told_list const& list, replies const& words = replies_in("en"));

} // namespace postrider::agent::todo
