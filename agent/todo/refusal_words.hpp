#pragma once
// What a person reads where their words name no task, or not clearly. Private to agent/todo. Pure.
#include "agent/todo/resolve.hpp"

#include <string>

namespace postrider::agent::todo {

std::string refusal_of(intent const& wish, no_task const& found);

} // namespace postrider::agent::todo
