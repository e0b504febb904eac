#pragma once
// All commands. A new one is a file under commands/ and a line in commands.def.
#include "server/cli/command.hpp"

#include <span>
#include <vector>

namespace postrider::cli {

// What several commands have in common: the words before the last of their paths.
struct command_group {
    std::string_view path;
    std::string_view summary;
};

struct command_table {
    std::vector<command const*> commands; // in the order of the help
    std::vector<command_group> groups;
};

command_table const& all_commands();

} // namespace postrider::cli
