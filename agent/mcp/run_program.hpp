#pragma once
// Runs a program with an input to its end, and returns what it wrote. On the executor's one thread.
#include "agent/mcp/child_process.hpp"
#include "base/async.hpp"
#include "base/clock.hpp"

#include <string>

namespace postrider::agent::mcp {

struct program_run {
    child_command command = {};
    std::string input = {};
    std::size_t most_output = 0; // bytes
    base::duration deadline = {};
};

struct program_output {
    std::string output;
    std::string errors = {}; // the beginning of its standard error, at most 4 KiB; not for logs
    std::string ending = {}; // "exit code 1", "signal 9"; "" = it closed its output and runs on
};

// A program that does not read all of its input is no failure. timeout: it was ended at its deadline. too_large: it
// wrote more than it may, and was ended. Others as of child_process::start().
base::awaitable<base::result<program_output>> run_program(program_run run);

} // namespace postrider::agent::mcp
