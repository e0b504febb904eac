#pragma once
// All commands. A new one is a file under commands/ and a line in commands.def.
#include "server/cli/parser/command.hpp"

namespace postrider::cli {

command_table const& all_commands();

} // namespace postrider::cli
