#pragma once
// Parts of the command line's grammar, each in a file of its own; see arguments.hpp.
#include "server/cli/arguments.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace postrider::cli {

// A subcommand that sets `into.command` when it is given.
CLI::App* add_command(
    CLI::App& parent,
    arguments& into,
    std::string const& name,
    std::string const& help,
    command command
);
// A subcommand that only holds others.
CLI::App* add_group(CLI::App& parent, std::string const& name, std::string const& help);
void add_json(CLI::App* to, arguments& into);
// "--address": where the running server is asked.
void add_address(CLI::App* to, arguments& into);
// "--state": what a job must be in.
void add_states(CLI::App* to, arguments& into);
// Lets only the number of a version pass: what std::stoll() takes as it stands, and above 0.
CLI::Validator version_number();
// Lets only ids pass: of jobs, users and tokens.
CLI::Validator id_number();

void add_jobs(CLI::App& app, arguments& into);
void add_lanes(CLI::App& app, arguments& into);
void add_effects(CLI::App& app, arguments& into);
void add_schedules(CLI::App& app, arguments& into);
void add_flows(CLI::App& app, arguments& into);
void add_executions(CLI::App& app, arguments& into);
// "pause" and "resume" of everything.
void add_pauses(CLI::App& app, arguments& into);
// The same of a bot, under "bot".
void add_bot_pauses(CLI::App& bot, arguments& into);

} // namespace postrider::cli
