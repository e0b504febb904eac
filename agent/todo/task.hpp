#pragma once
// A task as its tools tell of it. A value.
#include "agent/todo/request.hpp"

namespace postrider::agent::todo {

struct task {
    task_id id{};
    std::string title;
    bool done = false;
    priority urgency = priority::medium;
    std::optional<due_time> due = {};
};

} // namespace postrider::agent::todo
