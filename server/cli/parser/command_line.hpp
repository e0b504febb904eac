#pragma once
// The command line, parsed by the table of commands: which command, with its options, and the
// settings given as flags. Pure: it reads nothing and prints nothing; help and mistakes come back
// as text.
#include "server/cli/parser/command.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace postrider::cli {

struct parsed_command {
    cli::command const* command = nullptr;
    action run;
    bool json = false;
    std::map<std::string, std::string, std::less<>> flags; // settings key → value
    std::string config_file;
    std::string environment_file;
};

// Either what to run, or what to print instead and the exit code: help and version are 0 and belong
// on stdout, a mistake is 2 and belongs on stderr.
struct parsed_command_line {
    std::optional<parsed_command> values;
    int exit_code = 0;
    std::string text;
};

parsed_command_line parse_command_line(
    std::vector<std::string> const& args, command_table const& table
);

} // namespace postrider::cli
