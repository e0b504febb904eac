#pragma once
// The tools for tasks as a family (agent/loop/tool_family.hpp): they ask, tell and answer in the words of the
// decision table. Pure.
#include "agent/loop/tool_family.hpp"

namespace postrider::agent::todo {

tool_family const& task_family() noexcept;

} // namespace postrider::agent::todo
