#include "server/cli/commands.hpp"

namespace postrider::cli {

namespace commands {

#define GROUP(path, summary)
#define COMMAND(value) extern command const value;
#include "server/cli/commands.def"
#undef COMMAND
#undef GROUP

} // namespace commands

command_table const& all_commands() {
    static command_table const commands{
        {
#define GROUP(path, summary)
#define COMMAND(value) &commands::value,
#include "server/cli/commands.def"
#undef COMMAND
#undef GROUP
        },
        {
#define GROUP(path, summary) command_group{path, summary},
#define COMMAND(value)
#include "server/cli/commands.def"
#undef COMMAND
#undef GROUP
        }};
    return commands;
}

} // namespace postrider::cli
