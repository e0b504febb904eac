#pragma once
// What a person reads where their words name no task, or not clearly. Private to agent/todo. Pure.
#include "agent/todo/resolve.hpp"
#include "agent/todo/task.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::todo {

std::string refusal_of(intent const& intent, no_task const& refusal, replies const& words);

// The tool would refuse it, in words for models.
bool is_too_long(std::string_view title);
std::string tell_too_long(std::string_view title, replies const& words);

// What was to be added only where it is not there.
std::string tell_is_there(task const& open, replies const& words);

} // namespace postrider::agent::todo
