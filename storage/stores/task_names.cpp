// The names of a task's priorities and states.
#include "base/names.hpp"
#include "storage/stores/tasks.hpp"

namespace postrider::storage {

namespace {

constexpr base::names<task_priority, 3> priorities{{
    {task_priority::low, "low"},
    {task_priority::medium, "medium"},
    {task_priority::high, "high"},
}};

constexpr base::names<task_status, 4> statuses{{
    {task_status::all, "all"},
    {task_status::open, "open"},
    {task_status::completed, "completed"},
    {task_status::overdue, "overdue"},
}};

} // namespace

std::string_view to_string(task_priority priority) noexcept {
    return base::name_of(priorities, priority);
}

std::optional<task_priority> task_priority_from_string(std::string_view name) noexcept {
    return base::named(priorities, name);
}

std::string_view to_string(task_status status) noexcept {
    return base::name_of(statuses, status);
}

std::optional<task_status> task_status_from_string(std::string_view name) noexcept {
    return base::named(statuses, name);
}

} // namespace postrider::storage
