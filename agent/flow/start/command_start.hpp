#pragma once
// The command that a message is, as an execution's start has it. Pure.
#include "agent/flow/execution_input.hpp"
#include "agent/flow/start/execution_unit.hpp"

#include <optional>
#include <string_view>

namespace postrider::agent::flow {

// `command`: that the message begins with, "" = none; `input`: that of the flow, which has heard the
// message. A stop word is /stop where the person has a turn to stop. Nothing: the message is for the flow.
std::optional<command_start> command_in(
    std::string_view text, std::string_view command, execution_input input, bool is_owner
);

} // namespace postrider::agent::flow
