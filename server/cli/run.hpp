#pragma once
// The command line as a function: everything main() does once the environment is a map.
#include "base/settings.hpp"
#include "server/cli/commands.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace postrider::cli {

// Runs one command to its end and returns the exit code, which is not 0 where its output could not be
// written. Throws only on a broken environment.
int run(
    std::vector<std::string> const& args,
    base::environment const& environment,
    std::ostream& out,
    std::ostream& err,
    command_table const& table = all_commands()
);

} // namespace postrider::cli
