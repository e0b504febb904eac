#pragma once
// What the todo agent says, in the words of its decision table. English, whatever language was
// spoken: the table's wording is fixed. Pure; every text is plain, without markup.
#include "agent/todo/resolve.hpp"
#include "base/time_zone.hpp"

#include <span>
#include <string>
#include <string_view>

namespace postrider::agent::todo::phrase {

// Receipts: only for what a tool returned.
std::string created(task const& done, base::time_zone const& zone);
std::string completed(task const& done); // "Completed task: [Title]"
std::string renamed(task const& done);   // "Renamed task [ID] to: [Title]"
std::string deleted(task const& done);   // "Deleted task: [Title]"

// Beside a receipt: why there is no due date.
std::string due_passed();
std::string recurring();

// Questions before something is done.
std::string confirm_rename(task const& target, std::string_view title);
std::string confirm_delete(task const& target);
std::string ask_which(std::span<task const> candidates);
std::string title_missing();
std::string new_title_missing(task const& target);

std::string list(std::span<task const> tasks, intent const& request, base::time_zone const& zone);
std::string details(task const& shown, base::time_zone const& zone);

// The request cannot be done as it was said.
std::string not_found(no_task const& missing, task_reference const& reference);
std::string unknown(bool doubtful); // with examples
std::string cancelled();
std::string tool_failed(std::string_view explanation);

std::string help();
std::string greeting();
std::string welcome();

} // namespace postrider::agent::todo::phrase
