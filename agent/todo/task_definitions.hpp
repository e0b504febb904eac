#pragma once
// The six tools of the todo server as clients see them. Values.
#include "agent/mcp/tool.hpp"

#include <cstddef>
#include <string_view>

namespace postrider::agent::todo {

inline constexpr std::string_view create_tool = "create_todo_task";
inline constexpr std::string_view get_tool = "get_todo_task";
inline constexpr std::string_view list_tool = "list_todo_tasks";
inline constexpr std::string_view update_tool = "update_todo_task";
inline constexpr std::string_view complete_tool = "complete_todo_task";
inline constexpr std::string_view delete_tool = "delete_todo_task";

// What a call says that failed for no fault of its arguments. It may be made again, under its key.
inline constexpr std::string_view doubtful_change =
    "It is not known whether this was done: list the tasks before trying it again.";
inline constexpr std::string_view tasks_unreachable = "The tasks cannot be reached at the moment";

// The reason (base::error::reason) of a call that names a task that is not there.
inline constexpr std::string_view no_such_task = "no_such_task";

// Of a title, in characters.
std::size_t longest_task_title() noexcept;

// No schema has a person in it: whose tasks these are is known from who is authenticated.
mcp::tool_definition task_tool_definition(std::string_view name);

} // namespace postrider::agent::todo
