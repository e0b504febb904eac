#pragma once
// The words of the agent's decision table: what a person is asked before a task is changed for good,
// and what they are told once something was done. Composed by code from calls and results; a model
// has no part in them. Pure.
#include "agent/todo/told_tasks.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <string_view>

namespace postrider::agent::todo {

// Of the effects of the todo tools.
inline constexpr std::string_view task_tool_kind = "tool.todo";

// True of the six tools of the todo server.
bool is_task_tool(std::string_view tool) noexcept;
// True of those that change a task.
bool is_mutation(std::string_view tool) noexcept;

// "Are you sure you want to delete task 3? (yes/no) → Buy milk", without a title where the call has
// none; "" for a tool that nobody is asked about.
std::string question_about(
    std::string_view tool,
    boost::json::object const& arguments,
    replies const& words = replies_in("en")
);

// "Created task: Buy milk", with " (due: Thu, 24 December 2026)" behind it where it has a due date; "" for a tool
// that changes nothing. Of an update that sets more than the
// title: "Changed task 3 to: Buy milk (due: Thu, 24 December 2026, priority: high)".
std::string confirmation_of(
    std::string_view tool, told_task const& task, replies const& words = replies_in("en")
);

} // namespace postrider::agent::todo
